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

/** What queries about states read; {@link Views} says what holds for every method. */
public interface StateViews {

    /** One conversation. */
    Optional<ConversationSummary> conversation(String namespace, Protocol protocol, String conversation);

    /** The audit records of a chain from a sequence on, in order, at most {@code limit}; none when there are none. */
    List<AuditRecord> messages(String chain, long from, int limit);

    /** Where the messages of a chain begin that are here; empty when that is its first, and when there is no such chain. */
    Optional<Beginning> beginning(String chain);

    /** The checkpoints of a context in the order in which they were applied. */
    Page<Node> checkpoints(String namespace, String context, Optional<String> cursor, int limit);

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
