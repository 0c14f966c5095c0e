package dev.parley.state;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import kotlinx.collections.immutable.PersistentMap;

/** A conversation read from its beginning to a moment. Costs by the messages read; needs the memory of a state, not of the messages. */
public final class Replay {

    private Replay() {}

    /**
     * The state as of a moment.
     *
     * @param last the last message that moved it or could have; empty before the first
     * @param entries the state, by name, in no order
     */
    public record Stand(Optional<Setter> last, PersistentMap<String, Entry> entries) {}

    /**
     * A change of an entry, and who made it.
     *
     * @param value the new value; empty when the entry was taken away
     * @param setter the message
     */
    public record Step(Optional<String> value, Setter setter) {}

    /**
     * The state as of a moment: after the last accepted message that the moment covers, and all before it.
     *
     * @param protocol of the conversation
     * @param records its audit chain from the beginning, in order
     */
    public static Stand at(Protocol protocol, Moment moment, Iterable<AuditRecord> records) {
        Fold fold = new Fold(protocol);
        Stand stand = new Stand(Optional.empty(), fold.entries());
        for (AuditRecord record : records) {
            fold.accept(record);
            if (Fold.counts(record) && moment.covers(record)) {
                stand = new Stand(Optional.of(Setter.of(record)), fold.entries());
            }
            if (moment.isReached(record)) {
                break;
            }
        }
        return stand;
    }

    /**
     * How an entry came to be what it was as of a sequence: its changes, the latest first, at most {@code limit}.
     *
     * @param last sequence of the last message that counts
     */
    public static List<Step> history(
            Protocol protocol, String entry, long last, int limit, Iterable<AuditRecord> records) {
        Fold fold = new Fold(protocol);
        Deque<Step> steps = new ArrayDeque<>();
        for (AuditRecord record : records) {
            if (record.getSequence() > last) {
                break;
            }
            for (Change change : fold.accept(record)) {
                if (change.entry().equals(entry)) {
                    steps.addLast(new Step(change.value(), Setter.of(record)));
                    if (steps.size() > limit) {
                        steps.removeFirst();
                    }
                }
            }
        }
        List<Step> latestFirst = new ArrayList<>(steps);
        Collections.reverse(latestFirst);
        return latestFirst;
    }
}
