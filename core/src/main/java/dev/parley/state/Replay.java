package dev.parley.state;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.gloss.Definitions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.LongConsumer;
import kotlinx.collections.immutable.PersistentMap;

/**
 * A conversation read from its beginning to a moment. Costs by the messages read; needs the memory of a state, not of
 * the messages.
 */
public final class Replay {
    /** What a change takes besides its value, about. */
    private static final int STEP_BYTES = 200;

    private Replay() {}

    /**
     * The state as of a moment.
     *
     * @param last the last message that moved it or could have; empty before the first
     * @param entries the state, by name, in no order
     */
    public record StateAsOf(Optional<ChangeOrigin.Message> last, PersistentMap<String, StateEntry> entries) {}

    /**
     * A change of an entry, and who made it.
     *
     * @param value the new value; empty when the entry was taken away
     * @param origin the message
     * @param gloss the message in one sentence; empty without glosses
     */
    public record Step(Optional<String> value, ChangeOrigin.Message origin, Optional<String> gloss) {}

    /**
     * The state as of a moment: after the last accepted message that the moment covers, and all before it.
     *
     * @param model the fold of the conversation's protocol
     * @param records its audit chain from the beginning, in order
     */
    public static StateAsOf at(StateModel.Folded model, Moment moment, Iterable<AuditRecord> records) {
        return at(model, moment, records, bytes -> {});
    }

    /**
     * The same.
     *
     * @param memory told after each record how much memory the state takes, about; what it throws ends the replay
     */
    public static StateAsOf at(
            StateModel.Folded model, Moment moment, Iterable<AuditRecord> records, LongConsumer memory) {
        Fold fold = new Fold(model);
        StateAsOf state = new StateAsOf(Optional.empty(), fold.entries());
        for (AuditRecord record : records) {
            fold.accept(record);
            memory.accept(fold.bytes());
            if (Fold.counts(record) && moment.covers(record)) {
                state = new StateAsOf(Optional.of(ChangeOrigin.Message.of(record)), fold.entries());
            }
            if (moment.isReached(record)) {
                break;
            }
        }
        return state;
    }

    /**
     * The latest changes of an entry.
     *
     * @param steps the latest first
     * @param more whether there are earlier ones
     */
    public record History(List<Step> steps, boolean more) {}

    /**
     * How an entry came to be what it was as of a sequence: its latest changes, at most {@code limit}.
     *
     * @param last sequence of the last message that counts
     * @param records its audit chain from the beginning, in order
     * @param stepBytes most bytes of the values of the changes, unless the latest alone is larger
     * @param memory told after each record how much memory the state takes, about; what it throws ends the replay
     * @param glosses the gloss of a message with the definitions in force; null for a history without glosses
     */
    public static History history(
            StateModel.Folded model,
            String entry,
            long last,
            int limit,
            long stepBytes,
            Iterable<AuditRecord> records,
            LongConsumer memory,
            BiFunction<AgentMessage, Definitions, String> glosses) {
        Fold fold = new Fold(model);
        Deque<Step> steps = new ArrayDeque<>();
        long bytes = 0;
        boolean more = false;
        for (AuditRecord record : records) {
            if (record.getSequence() > last) {
                break;
            }
            for (Change change : fold.accept(record)) {
                if (change.entry().equals(entry)) {
                    Optional<String> gloss = Optional.ofNullable(glosses)
                            .map(made -> made.apply(
                                    record.getMessage(), model.definitions().apply(fold.entries())));
                    Step step = new Step(change.value(), ChangeOrigin.Message.of(record), gloss);
                    steps.addLast(step);
                    bytes += weight(step);
                    while (steps.size() > limit || (bytes > stepBytes && steps.size() > 1)) {
                        bytes -= weight(steps.removeFirst());
                        more = true;
                    }
                }
            }
            memory.accept(fold.bytes());
        }
        List<Step> latestFirst = new ArrayList<>(steps);
        Collections.reverse(latestFirst);
        return new History(latestFirst, more);
    }

    private static long weight(Step step) {
        return STEP_BYTES
                + step.value().map(String::length).orElse(0)
                + step.gloss().map(String::length).orElse(0);
    }
}
