package dev.parley.state;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.Protocol;
import dev.parley.checkpoint.CheckpointNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** What queries about states read. Its methods may throw what the implementation says; that ends the query. */
public interface StateSource {

    /** Maximum bytes of stored audit records that {@link #messages} reads at once, unless the first alone is larger. */
    int SLICE_BYTES = 1 << 20;

    /**
     * Where the messages of a chain begin in the source, if it lacks the first.
     *
     * @param first sequence of the first message that it has; one more than the last when it has none
     * @param prunedAt record time at which those before were pruned; empty when the source never had them
     */
    record Beginning(long first, Optional<Instant> prunedAt) {}

    /** One conversation. */
    Optional<ConversationSummary> conversation(String namespace, Protocol protocol, String conversation);

    /**
     * The audit records of a chain from a sequence on, in order. At most {@code limit} records and about
     * {@link #SLICE_BYTES}, but at least one if there is one: the caller asks again from after the last.
     */
    List<AuditRecord> messages(String chain, long from, int limit);

    /** Where the messages of a chain begin; empty when the first is present, and when there is no such chain. */
    Optional<Beginning> beginning(String chain);

    /**
     * The checkpoints of a context in the order of application.
     *
     * @param page takes them one by one, at least the first; the page ends before one that it does not take
     * @return cursor of the next page; empty when this is the last
     */
    Optional<String> checkpoints(
            String namespace, String context, Optional<String> cursor, int limit, Predicate<CheckpointNode> page);

    /** One checkpoint. The root C0 may be missing though every context has it. */
    Optional<CheckpointNode> checkpoint(String namespace, String context, String id);

    /** The checkpoint of that place in the order of application. */
    Optional<CheckpointNode> checkpoint(String namespace, String context, long ordinal);

    /** IDs of the branch heads of a context, at most {@code limit}. */
    List<String> heads(String namespace, String context, int limit);

    /**
     * ID of the last applied checkpoint among those that came of the handling of a record not later than a time; empty
     * when there is only the root.
     */
    Optional<String> latestAt(String namespace, String context, Instant time);

    /**
     * ID of the last applied checkpoint among those that came of the handling of a record of this input partition, not
     * beyond this offset; empty when there is only the root.
     */
    Optional<String> latestAt(String namespace, String context, String topic, int partition, long offset);
}
