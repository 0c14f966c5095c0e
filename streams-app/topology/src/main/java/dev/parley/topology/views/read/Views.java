package dev.parley.topology.views.read;

import dev.parley.audit.InputPosition;
import dev.parley.avro.Accounting;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.AuditTile;
import dev.parley.avro.ClaimedRecord;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.OpenItem;
import dev.parley.avro.ParkedItem;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.state.StateSource;
import dev.parley.topology.topics.StatisticRow;
import dev.parley.topology.views.search.SearchKeys;
import dev.parley.topology.views.search.SearchQuery;
import dev.parley.topology.views.store.Statistic;
import dev.parley.topology.views.store.ViewKeys.ChainPosition;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Bytes;

/**
 * Read access to the views for queries. A lookup by key reads the partition of that key, which must be on this
 * instance; a list reads some partitions. Lists have a stable order. A page has at most {@code limit} items and may
 * have fewer, even none, although more follow: only its end decides. Every method may throw
 * {@link ViewsUnavailableException}.
 */
public interface Views extends StateSource {

    /**
     * Filter of a list of conversations; an empty part matches all.
     *
     * @param verdict verdict on one of its messages
     * @param code code of one of its messages, the one with the verdict if both are given
     */
    record ConversationFilter(
            Optional<String> namespace, Optional<Protocol> protocol, Optional<Verdict> verdict, Optional<String> code) {
        /** Matches every conversation. */
        public static final ConversationFilter NONE =
                new ConversationFilter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /**
     * Lists conversations, the one with the latest message first, and those of one second by namespace, protocol and
     * ID. A conversation with a new message moves to the start: later pages neither repeat it nor have it. If very many
     * conversations match, the filter reads the rows that it leaves out; otherwise it reads those that match.
     *
     * @param after store key after which the page starts; empty for the first page
     * @param page receives each conversation with its store key; returns false if it does not fit, which ends the page
     *     before it. It must accept the first
     * @return the last key that was examined; empty if this is the last page
     * @throws InvalidCursorException if {@code after} is not a key of this list
     */
    Optional<Bytes> conversations(
            ConversationFilter filter, Optional<Bytes> after, int limit, BiPredicate<Bytes, ConversationSummary> page);

    /** The number of conversations that match a filter. */
    long total(ConversationFilter filter);

    /**
     * Lists the undecodable records that claim a namespace and perhaps a protocol, in the order of protocol, claimed
     * conversation, chain and sequence; claims of private records last. Otherwise like {@link #conversations}, except
     * that a code reads the rows that it leaves out.
     *
     * @param code code of the records
     * @param seesPrivate whether to list claims of private records
     * @param after as in {@link #conversations}; must be a key of a claim
     */
    Optional<Bytes> claims(
            String namespace,
            Optional<Protocol> protocol,
            Optional<String> code,
            boolean seesPrivate,
            Optional<Bytes> after,
            int limit,
            BiPredicate<Bytes, ClaimedRecord> page);

    /**
     * Lists the conversations of a namespace with an accepted message from or to an agent, in the order of protocol and
     * ID; otherwise like {@link #conversations}.
     */
    Optional<Bytes> conversationsOf(
            String namespace,
            String agent,
            Optional<Bytes> after,
            int limit,
            BiPredicate<Bytes, ConversationSummary> page);

    /**
     * Filter of dead letters; an empty part matches all.
     *
     * @param sender sender of the message, or whom an undecodable record claims; so are namespace and conversation
     * @param from earliest time
     * @param to time before which they must be
     * @param returned whether a redrive must have returned them; {@link #matches} leaves this to {@link #isReturned}
     */
    record DeadLetterFilter(
            Optional<Stage> stage,
            Optional<String> code,
            Optional<String> namespace,
            Optional<Protocol> protocol,
            Optional<String> conversation,
            Optional<String> sender,
            Optional<Instant> from,
            Optional<Instant> to,
            Optional<Boolean> returned) {

        /** Whether a dead letter is selected, returned or not. */
        public boolean matches(DeadLetterSummary letter) {
            return selects(stage, letter.getStage())
                    && selects(code, letter.getCode())
                    && selects(namespace, letter.getNamespace())
                    && selects(protocol, letter.getProtocol())
                    && selects(conversation, letter.getConversation())
                    && selects(sender, letter.getSender())
                    && from.filter(letter.getTimestamp()::isBefore).isEmpty()
                    && to.filter(end -> !letter.getTimestamp().isBefore(end)).isEmpty();
        }

        /** Whether it selects by names, which an undecodable record may claim. */
        public boolean usesNames() {
            return namespace.isPresent() || conversation.isPresent() || sender.isPresent();
        }
    }

    private static <T> boolean selects(Optional<T> wanted, T value) {
        return wanted.isEmpty() || wanted.get().equals(value);
    }

    /**
     * Lists dead letters, the latest first; otherwise like {@link #conversations}, except that a filter reads the rows
     * between its times that it leaves out.
     *
     * @param visible further filter
     */
    Optional<Bytes> deadLetters(
            DeadLetterFilter filter,
            Predicate<DeadLetterSummary> visible,
            Optional<Bytes> after,
            int limit,
            BiPredicate<Bytes, DeadLetterSummary> page);

    /**
     * Lists dead letters in the order of stage, code, and position in the dead-letter topic; otherwise like {@link
     * #deadLetters}, except that a filter reads the rows of its stage and code.
     */
    Optional<Bytes> deadLettersByCode(
            DeadLetterFilter filter,
            Predicate<DeadLetterSummary> visible,
            Optional<Bytes> after,
            int limit,
            BiPredicate<Bytes, DeadLetterSummary> page);

    /** Whether a redrive has returned the record that failed at an input position. */
    boolean isReturned(InputPosition failed);

    /**
     * Searches audit records, latest first; otherwise like {@link #conversations}. Reads about as many rows as the
     * rarest part of the query has matches. A page also ends after a fixed time.
     *
     * @param after the document after which the page starts, see {@link SearchKeys}
     */
    Optional<Bytes> search(SearchQuery query, Optional<Bytes> after, int limit, BiPredicate<Bytes, AuditRecord> page);

    /** Chain and sequence of the record at an input position; empty if it is not visible. */
    Optional<ChainPosition> chainPosition(InputPosition position);

    /** Whether the dead letter of the record at an input position is visible. */
    boolean hasDeadLetterOf(InputPosition position);

    /** The redaction of the audit record at an input position with this hash; empty if there is none. */
    Optional<Redaction> redactionOf(InputPosition position, ByteBuffer recordHash);

    /** Whether a redaction of the record at an input position was requested. */
    boolean isRedacted(InputPosition position);

    /**
     * Visits the rows of a statistic whose windows start in a time range.
     *
     * @param from in milliseconds since the epoch, inclusive
     * @param to in milliseconds since the epoch, exclusive
     * @param visitor returns false to end the visit
     */
    void statistics(Statistic statistic, long from, long to, Predicate<StatisticRow> visitor);

    /**
     * Filter of a list of open items; an empty part matches all.
     *
     * @param agent agent that must answer
     * @param requester agent that asked
     */
    record OpenItemFilter(
            Optional<String> namespace,
            Optional<Protocol> protocol,
            Optional<String> agent,
            Optional<String> requester) {

        /** Whether an item is selected. */
        public boolean matches(OpenItem item) {
            return selects(namespace, item.getNamespace())
                    && selects(protocol.map(Protocol::name), item.getProtocol())
                    && selects(agent, item.getAgent())
                    && selects(requester, item.getRequester());
        }
    }

    /**
     * Lists the requests that await their results, the oldest first; otherwise like {@link #conversations}, except that
     * a filter reads the rows that it leaves out.
     */
    Optional<Bytes> openItems(
            OpenItemFilter filter, Optional<Bytes> after, int limit, BiPredicate<Bytes, OpenItem> page);

    /**
     * Lists the parked patches of a namespace and a context, or of all, the oldest first; otherwise like {@link
     * #openItems}.
     */
    Optional<Bytes> parked(
            Optional<String> namespace,
            Optional<String> context,
            Optional<Bytes> after,
            int limit,
            BiPredicate<Bytes, ParkedItem> page);

    /** The parked patch at an input position; empty if none is visible. */
    Optional<ParkedItem> parked(InputPosition position);

    /** The last published head of the log of a partition; empty if there is none yet. */
    Optional<AuditHead> head(int partition);

    /** A tile of the log of a partition, perhaps longer than in the last head; empty if there is none yet. */
    Optional<AuditTile> tile(int partition, int level, long index);

    /** The last published head of every log and the statement, in no order. */
    List<AuditHead> heads();

    /** The counts of every task, by input partition; a partition may occur several times. */
    List<Accounting> accounting();
}
