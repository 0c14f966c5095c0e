package dev.parley.query;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.Protocol;
import dev.parley.query.Views.Node;
import dev.parley.query.Views.Page;
import dev.parley.topology.ViewKeys.Beginning;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** What queries about states read; {@link Views} says what holds for every method. */
public interface StateViews {

    /** One conversation. */
    Optional<ConversationSummary> conversation(String namespace, Protocol protocol, String conversation);

    /** Most bytes of audit records, as they are stored, that {@link #messages} reads at once, unless the first alone is larger. */
    int SLICE_BYTES = 1 << 20;

    /**
     * The audit records of a chain from a sequence on, in order; none when there are none. At most {@code limit}, and no more than {@link #SLICE_BYTES}, but at least one
     * when there is one: the caller asks again from after the last.
     */
    List<AuditRecord> messages(String chain, long from, int limit);

    /** Where the messages of a chain begin that are here; empty when that is its first, and when there is no such chain. */
    Optional<Beginning> beginning(String chain);

    /**
     * The checkpoints of a context in the order in which they were applied.
     *
     * @param page takes them one by one, at least the first; the page ends before one that it does not take
     * @return cursor of the page after this one; empty when this is the last
     */
    Optional<String> checkpoints(
            String namespace, String context, Optional<String> cursor, int limit, Predicate<Node> page);

    /** The same, held in memory all together. */
    default Page<Node> checkpoints(String namespace, String context, Optional<String> cursor, int limit) {
        return Page.of(page -> checkpoints(namespace, context, cursor, limit, page));
    }

    /** One checkpoint. The root C0 may be missing though it exists in every context. */
    Optional<Node> checkpoint(String namespace, String context, String id);

    /** Ids of checkpoints of a context that no other was made from, at most {@code limit}. */
    List<String> heads(String namespace, String context, int limit);

    /** The checkpoint applied last among those that came of the handling of a record not later than a time; empty when there is none but the root. */
    Optional<String> latestAt(String namespace, String context, Instant time);

    /**
     * The checkpoint applied last among those that came of the handling of a record of this partition, not beyond this offset; empty when there is
     * none but the root.
     */
    Optional<String> latestAt(String namespace, String context, String topic, int partition, long offset);

    /** The checkpoint of that place in the order of application. */
    Optional<Node> checkpoint(String namespace, String context, long ordinal);
}
