package dev.parley.query;

import dev.parley.audit.InputPosition;
import dev.parley.avro.Accounting;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.Protocol;
import dev.parley.avro.Stage;
import dev.parley.topology.ChainPartitions;
import dev.parley.topology.ViewKeys.Link;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What queries read: of what is asked by key, the partition that has the key, which must be here; of lists, some partitions, all where this is the only process. Every method may throw {@link ViewsUnavailable}. Lists are in a stable order. A page has at most {@code limit} items; it
 * may have fewer, even none, though more follow: only {@link Page#next} tells. A cursor is what an earlier page of the same query gave as
 * next, else the method throws {@link InvalidCursor}.
 */
public interface Views extends StateViews {

    /** Stands for the namespace of what cannot be decoded, which has none. */
    String NO_NAMESPACE = ChainPartitions.NO_NAMESPACE;

    /**
     * A part of a list.
     *
     * @param items the items
     * @param next cursor of the page after this one; empty when this is the last
     * @param <T> an item
     */
    record Page<T>(List<T> items, Optional<String> next) {

        /** Copies the items. */
        public Page {
            items = List.copyOf(items);
        }

        /** What a query gives page by page, held in memory. */
        static <T> Page<T> of(Function<Predicate<T>, Optional<String>> query) {
            List<T> items = new ArrayList<>();
            Optional<String> next = query.apply(items::add);
            return new Page<>(items, next);
        }
    }

    /**
     * A checkpoint and its place in the tree.
     *
     * @param checkpoint the node
     * @param head whether no checkpoint was made from it
     */
    record Node(Checkpoint checkpoint, boolean head) {}

    /**
     * Conversations by namespace, protocol and name.
     *
     * @param page as in {@link #checkpoints(String, String, Optional, int, Predicate)}
     * @return likewise
     */
    Optional<String> conversations(
            Optional<String> namespace,
            Optional<Protocol> protocol,
            Optional<String> cursor,
            int limit,
            Predicate<ConversationSummary> page);

    /** The same, held in memory all together. */
    default Page<ConversationSummary> conversations(
            Optional<String> namespace, Optional<Protocol> protocol, Optional<String> cursor, int limit) {
        return Page.of(page -> conversations(namespace, protocol, cursor, limit, page));
    }

    /**
     * Dead letters by stage, code, and place in the dead-letter topic.
     *
     * @param page as in {@link #checkpoints(String, String, Optional, int, Predicate)}
     * @return likewise
     */
    Optional<String> deadLetters(
            Optional<Stage> stage,
            Optional<String> code,
            Optional<String> cursor,
            int limit,
            Predicate<DeadLetterSummary> page);

    /** The same, held in memory all together. */
    default Page<DeadLetterSummary> deadLetters(
            Optional<Stage> stage, Optional<String> code, Optional<String> cursor, int limit) {
        return Page.of(page -> deadLetters(stage, code, cursor, limit, page));
    }

    /** Where the record at this place of the input stands in the audit; empty when it is not shown (yet), as a patch is not that waits for its base. */
    Optional<Link> linkOf(InputPosition position);

    /** Whether the dead letter of the record at this place of the input is shown. */
    boolean hasDeadLetterOf(InputPosition position);

    /** A request to redact the record at this input position that has this payload hash; empty when there is none. */
    Optional<dev.parley.avro.Redaction> redactionOf(InputPosition position, ByteBuffer payloadHash);

    /** The counts of every task about every input partition; a partition may have several. */
    List<Accounting> accounting();
}
