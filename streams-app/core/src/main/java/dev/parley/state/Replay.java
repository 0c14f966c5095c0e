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
 * Replays a conversation from its beginning to a point in time. The cost depends on the number of messages; the memory,
 * only on the state.
 */
public final class Replay {
    /** Weight of a change in addition to its characters. */
    private static final int STEP_WEIGHT = 200;

    private Replay() {}

    /**
     * The state as of a point in time.
     *
     * @param last the last message that could change it; empty before the first
     * @param entries the entries by name, in no order
     */
    public record StateAsOf(Optional<ChangeOrigin.Message> last, PersistentMap<String, StateEntry> entries) {}

    /**
     * Computes the state after the last accepted message that a point in time covers, and all messages before it.
     *
     * @param model state model of the conversation's protocol
     * @param records its audit chain from the beginning, in order
     */
    public static StateAsOf at(StateModel.Folded model, PointInTime moment, Iterable<AuditRecord> records) {
        return at(model, moment, records, bytes -> {});
    }

    /**
     * Computes a state within a memory budget.
     *
     * @param memory receives the approximate memory of the state after each record; its exceptions end the replay
     */
    public static StateAsOf at(
            StateModel.Folded model, PointInTime moment, Iterable<AuditRecord> records, LongConsumer memory) {
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
     * Changes of an entry.
     *
     * @param steps the changes by messages, latest first
     * @param more whether there are earlier ones
     */
    public record History(List<EntryChange> steps, boolean more) {}

    /**
     * Returns the latest changes of an entry up to a sequence, at most {@code limit}.
     *
     * @param last sequence of the last considered message
     * @param records its audit chain from the beginning, in order
     * @param maxWeight maximum characters of the values and glosses of the changes, with 200 for each change; the
     *     latest is always part of the result
     * @param memory receives the approximate memory of the state after each record; its exceptions end the replay
     * @param glosses the gloss of a message with the definitions in force; null for a history without glosses
     */
    public static History history(
            StateModel.Folded model,
            String entry,
            long last,
            int limit,
            long maxWeight,
            Iterable<AuditRecord> records,
            LongConsumer memory,
            BiFunction<AgentMessage, Definitions, String> glosses) {
        Fold fold = new Fold(model);
        Deque<EntryChange> steps = new ArrayDeque<>();
        long weight = 0;
        boolean more = false;
        for (AuditRecord record : records) {
            if (record.getSequence() > last) {
                break;
            }
            for (Change change : fold.accept(record)) {
                if (change.entry().equals(entry)) {
                    String gloss = glosses == null
                            ? null
                            : glosses.apply(
                                    record.getMessage(), model.definitions().apply(fold.entries()));
                    EntryChange step =
                            new EntryChange(change.value().orElse(null), ChangeOrigin.Message.of(record), gloss);
                    steps.addLast(step);
                    weight += weight(step);
                    while (steps.size() > limit || (weight > maxWeight && steps.size() > 1)) {
                        weight -= weight(steps.removeFirst());
                        more = true;
                    }
                }
            }
            memory.accept(fold.bytes());
        }
        List<EntryChange> latestFirst = new ArrayList<>(steps);
        Collections.reverse(latestFirst);
        return new History(latestFirst, more);
    }

    private static long weight(EntryChange step) {
        return STEP_WEIGHT
                + (step.value() == null ? 0 : step.value().length())
                + (step.gloss() == null ? 0 : step.gloss().length());
    }
}
