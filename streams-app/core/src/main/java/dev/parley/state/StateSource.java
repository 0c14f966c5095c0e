package dev.parley.state;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.Protocol;
import dev.parley.checkpoint.CheckpointNode;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Data source of queries about states. Exceptions of its methods depend on the implementation and end the query. */
public interface StateSource {

    /** Maximum bytes of stored audit records per call of {@link #messages}, unless the first alone is larger. */
    int SLICE_BYTES = 1 << 20;

    /** Maximum records of a page of {@link #records}. */
    int RECORDS_PER_READ = 50;

    /**
     * First message of a chain that the source still has.
     *
     * @param first its sequence; one more than the last sequence if none remains
     * @param prunedAt record time at which earlier messages were pruned; empty if the source never had them
     */
    record Beginning(long first, Optional<Instant> prunedAt) {}

    Optional<ConversationSummary> conversation(String namespace, Protocol protocol, String conversation);

    /**
     * Returns the audit records of a chain from a sequence on, in order: at most {@code limit} records and about {@link
     * #SLICE_BYTES}, but at least one if there is one. The caller continues after the last.
     */
    List<AuditRecord> messages(String chain, long from, int limit);

    /**
     * Returns the audit records of a chain in order. Reads them page by page while the iterator advances.
     *
     * @param begin sequence from which the records begin
     * @param end sequence before which the records end
     */
    default Iterator<AuditRecord> records(String chain, long begin, long end) {
        LongFunction<List<AuditRecord>> page = from -> from < end ? messages(chain, from, RECORDS_PER_READ) : List.of();
        return Stream.iterate(
                        page.apply(begin),
                        read -> !read.isEmpty(),
                        read -> page.apply(read.get(read.size() - 1).getSequence() + 1))
                .flatMap(List::stream)
                .takeWhile(record -> record.getSequence() < end)
                .iterator();
    }

    /** Reads one audit record of a chain; empty if it is not visible. */
    default Optional<AuditRecord> message(String chain, long sequence) {
        return messages(chain, sequence, 1).stream()
                .filter(record -> record.getSequence() == sequence)
                .findFirst();
    }

    /** Returns the first remaining message of a chain; empty if that is its first message, and for an unknown chain. */
    Optional<Beginning> beginning(String chain);

    /**
     * Visits the checkpoints of a context in the order of application.
     *
     * @param page visitor; the page ends before a checkpoint for which it returns false, but contains at least the
     *     first
     * @return cursor of the next page; empty on the last
     */
    Optional<String> checkpoints(
            String namespace, String context, Optional<String> cursor, int limit, Predicate<CheckpointNode> page);

    /** Returns one checkpoint. The root C0 may be missing, although every context has it. */
    Optional<CheckpointNode> checkpoint(String namespace, String context, String id);

    /** Returns the checkpoint at a position in the order of application. */
    Optional<CheckpointNode> checkpoint(String namespace, String context, long ordinal);

    /** Returns the IDs of the branch heads of a context, at most {@code limit}. */
    List<String> heads(String namespace, String context, int limit);

    /**
     * Returns the ID of the last checkpoint applied due to an input not later than a point in time; empty if there is
     * only the root.
     *
     * @throws StateQueryException if more checkpoints follow than the source examines
     */
    Optional<String> latestAt(String namespace, String context, PointInTime.OfInputs at);
}
