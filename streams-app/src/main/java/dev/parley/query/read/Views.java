package dev.parley.query.read;

import dev.parley.audit.InputPosition;
import dev.parley.avro.Accounting;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.Protocol;
import dev.parley.avro.Stage;
import dev.parley.checkpoint.CheckpointNode;
import dev.parley.state.StateSource;
import dev.parley.topology.setup.ChainPartitioner;
import dev.parley.topology.views.ViewKeys.ChainPosition;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Bytes;

/**
 * What queries read: of what is asked by key, the partition that has the key, which must be here; of lists, some
 * partitions, all where this is the only process. Every method may throw {@link ViewsUnavailableException}. Lists are
 * in a stable order. A page has at most {@code limit} items; it may have fewer, even none, though more follow: only
 * {@link Page#next} tells. A cursor is what an earlier page of the same query gave as next, else the method throws
 * {@link InvalidCursorException}.
 */
public interface Views extends StateSource {

    /** Stands for the namespace of what cannot be decoded, which has none. */
    String NO_NAMESPACE = ChainPartitioner.NO_NAMESPACE;

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

    /** A page of checkpoints, held in memory all together. */
    default Page<CheckpointNode> checkpoints(String namespace, String context, Optional<String> cursor, int limit) {
        return Page.of(page -> checkpoints(namespace, context, cursor, limit, page));
    }

    /**
     * Conversations by namespace, protocol and name.
     *
     * @param after store key after which the page starts; empty for the first page
     * @param page takes them one by one with their store keys, at least the first; the page ends before one that it
     *     does not take
     * @return the last key that was examined; empty when this is the last page
     */
    Optional<Bytes> conversations(
            Optional<String> namespace,
            Optional<Protocol> protocol,
            Optional<Bytes> after,
            int limit,
            BiPredicate<Bytes, ConversationSummary> page);

    /** The same, held in memory all together. */
    default Page<ConversationSummary> conversations(
            Optional<String> namespace, Optional<Protocol> protocol, Optional<String> cursor, int limit) {
        return Page.of(page -> conversations(
                        namespace, protocol, cursor.map(Cursor::key), limit, (key, summary) -> page.test(summary))
                .map(Cursor::of));
    }

    /**
     * Dead letters by stage, code, and place in the dead-letter topic.
     *
     * @param after store key after which the page starts; empty for the first page
     * @param page as in {@link #conversations}
     * @return likewise
     */
    Optional<Bytes> deadLetters(
            Optional<Stage> stage,
            Optional<String> code,
            Optional<Bytes> after,
            int limit,
            BiPredicate<Bytes, DeadLetterSummary> page);

    /** The same, held in memory all together. */
    default Page<DeadLetterSummary> deadLetters(
            Optional<Stage> stage, Optional<String> code, Optional<String> cursor, int limit) {
        return Page.of(page -> deadLetters(
                        stage, code, cursor.map(Cursor::key), limit, (key, deadLetter) -> page.test(deadLetter))
                .map(Cursor::of));
    }

    /**
     * Where the record at this place of the input stands in the audit; empty when it is not shown (yet), as a patch is
     * not that waits for its base.
     */
    Optional<ChainPosition> linkOf(InputPosition position);

    /** Whether the dead letter of the record at this place of the input is shown. */
    boolean hasDeadLetterOf(InputPosition position);

    /** A request to redact the record at this input position that has this payload hash; empty when there is none. */
    Optional<dev.parley.avro.Redaction> redactionOf(InputPosition position, ByteBuffer payloadHash);

    /** The counts of every task about every input partition; a partition may have several. */
    List<Accounting> accounting();
}
