package dev.parley.topology.views;

import dev.parley.avro.ConversationSummary;
import dev.parley.avro.IndexNumbers;
import dev.parley.avro.Protocol;
import dev.parley.avro.Verdict;
import dev.parley.topology.kafka.StoredValues;
import dev.parley.topology.topics.ChainPartitioner;
import dev.parley.topology.views.read.InvalidCursorException;
import dev.parley.topology.views.read.StoreReader;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewStores;
import dev.parley.topology.views.store.ViewValues;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * The summaries of conversations in {@link ViewStores#AUDIT}, each in the partition of its chain, and their indexes: by
 * protocol, verdict, code, and verdict and code, with the number of conversations in each, and those of {@link
 * ConversationOrder}.
 */
public record ConversationView(StoreReader store) {
    static final int CONVERSATION = 1;
    private static final int BY_PROTOCOL = 6;
    private static final int BY_VERDICT = 7;
    private static final int BY_CODE_AND_VERDICT = 8;
    static final int TOTAL = 17;
    private static final int BY_CODE = 18;

    static final StoredValues<ConversationSummary> VALUE = new StoredValues<>(ConversationSummary.class);
    static final StoredValues<IndexNumbers> NUMBERS = new StoredValues<>(IndexNumbers.class);

    /**
     * Filter of a list of conversations; an empty part matches all.
     *
     * @param verdict verdict on one of its messages
     * @param code code of one of its messages, the one with the verdict if both are given
     */
    public record Filter(
            Optional<String> namespace, Optional<Protocol> protocol, Optional<Verdict> verdict, Optional<String> code) {
        /** Matches every conversation. */
        public static final Filter NONE =
                new Filter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /**
     * Lists conversations in an order. A conversation whose number changes moves; later pages neither repeat nor have
     * one that moves to the start. If very many conversations match, the filter reads the rows that it leaves out;
     * otherwise it reads those that match.
     *
     * @param after key in the list after which the page starts; empty for the first page
     * @param page receives each conversation with its key in the list; returns false if it does not fit, which ends the
     *     page before it. It must accept the first
     * @return the last key that was examined; empty if this is the last page
     * @throws InvalidCursorException if {@code after} is not a key of this list
     */
    public Optional<Bytes> list(
            Filter filter,
            ConversationOrder order,
            Optional<Bytes> after,
            int limit,
            BiPredicate<Bytes, ConversationSummary> page) {
        return store.partitions(
                partitions -> new OrderedScan(partitions, filter, order, store.scope()).scan(after, limit, page));
    }

    /** The number of conversations that match a filter. */
    public long total(Filter filter) {
        return store.partitions(
                partitions -> new OrderedScan(partitions, filter, ConversationOrder.LATEST, store.scope()).total());
    }

    Optional<ConversationSummary> one(String namespace, Protocol protocol, String conversation) {
        return store.value(
                ChainPartitioner.chainOf(namespace, protocol, conversation),
                key(namespace, protocol, conversation),
                VALUE::decode);
    }

    /** Key of the summary of a conversation. */
    static Bytes key(String namespace, Protocol protocol, String conversation) {
        return ViewKeys.of(prefix(Optional.of(namespace), Optional.of(protocol)))
                .text(conversation)
                .build();
    }

    /** Key prefix of the conversations: of all, of a namespace, or of a namespace and a protocol. */
    static Bytes prefix(Optional<String> namespace, Optional<Protocol> protocol) {
        ViewKeys.Builder builder = ViewKeys.of(CONVERSATION);
        if (namespace.isPresent()) {
            builder.text(namespace.get());
            protocol.ifPresent(p -> builder.text(p.name()));
        }
        return builder.build();
    }

    /**
     * Key prefix of the index of the conversations of a protocol that have a message with a verdict and a code. It has
     * an {@link #indexEntry} for each of its conversations.
     *
     * @param verdict null for any
     * @param code null for any and none
     */
    static Bytes index(Protocol protocol, Verdict verdict, String code) {
        int withoutCode = verdict == null ? BY_PROTOCOL : BY_VERDICT;
        int withCode = verdict == null ? BY_CODE : BY_CODE_AND_VERDICT;
        ViewKeys.Builder index = ViewKeys.of(code == null ? withoutCode : withCode);
        if (code != null) {
            index.text(code);
        }
        if (verdict != null) {
            index.text(verdict.name());
        }
        return index.text(protocol.name()).build();
    }

    /**
     * Key of the number of conversations in an index: in all namespaces, or in one.
     *
     * @param index key prefix of the index
     */
    static Bytes totalKey(Bytes index, Optional<String> namespace) {
        Bytes totals = ViewKeys.of(TOTAL).build();
        ViewKeys.Builder builder =
                ViewKeys.of(indexEntry(Bytes.wrap(new byte[] {totals.get()[0], index.get()[0]}), index));
        namespace.ifPresent(builder::text);
        return builder.build();
    }

    /**
     * Key of a conversation in an index. The entries of an index sort as their conversations. An entry of an index with
     * a {@link #totalKey} has the {@link IndexNumbers} as its value, others have none: a count that has lost a change
     * in a crash is found again from the numbers of its entries.
     *
     * @param index key prefix of the index
     * @param conversation key of the conversation, or a key prefix of conversations for the prefix of their entries
     */
    static Bytes indexEntry(Bytes index, Bytes conversation) {
        byte[] entry = Arrays.copyOf(index.get(), index.get().length + conversation.get().length - 1);
        System.arraycopy(conversation.get(), 1, entry, index.get().length, conversation.get().length - 1);
        return Bytes.wrap(entry);
    }

    /** Returns the key of the conversation of an {@link #indexEntry}. */
    static Bytes indexedConversation(Bytes index, Bytes entry) {
        int length = entry.get().length - index.get().length;
        byte[] conversation = new byte[1 + length];
        conversation[0] = CONVERSATION;
        System.arraycopy(entry.get(), index.get().length, conversation, 1, length);
        return Bytes.wrap(conversation);
    }

    /**
     * Writes summaries and indexes. A conversation stays in an index. Only its entries in orders move. So a record adds
     * at most four entries with their two numbers, and moves one in each order; a conversation has at most one in each
     * order, for its protocol, each verdict, each code, and each pair of both. Agents choose none of these.
     *
     * @param store has the entries of earlier records
     * @param writer receives the entries to put; a null value deletes one
     */
    record Writer(ReadOnlyKeyValueStore<Bytes, byte[]> store, BiConsumer<Bytes, byte[]> writer) {

        /** The indexes of a conversation that a record decides. The code is null if there is none. */
        record Reason(Verdict verdict, String code) {
            /** The last record that a summary counts. */
            static Reason last(ConversationSummary summary) {
                return new Reason(summary.getLastVerdict(), summary.getLastCode());
            }
        }

        /**
         * Adds what the last record of a conversation changes.
         *
         * @param key key of the conversation
         * @param summary summary that counts the record
         * @param before reason of the record before; that of the record itself if it is the first
         */
        void add(Bytes key, ConversationSummary summary, Reason before) {
            Protocol protocol = summary.getProtocol();
            Reason last = Reason.last(summary);
            long messages =
                    summary.getAccepted() + summary.getRejected() + summary.getFlagged() + summary.getUndecodable();
            if (messages <= 1) {
                put(index(protocol, null, null), key, summary);
            }
            if (count(summary, last.verdict()) == 1) {
                put(index(protocol, last.verdict(), null), key, summary);
            }
            if (last.code() != null && !last.equals(before)) {
                putCode(key, summary, last);
            }
        }

        /** Adds what a record has changed that the summary has counted before: a crash may have lost some of it. */
        void addAgain(Bytes key, ConversationSummary summary, Reason reason) {
            move(key, List.of(), summary);
            put(index(summary.getProtocol(), null, null), key, summary);
            if (count(summary, reason.verdict()) > 0) {
                put(index(summary.getProtocol(), reason.verdict(), null), key, summary);
            }
            if (reason.code() != null) {
                putCode(key, summary, reason);
            }
        }

        private void putCode(Bytes key, ConversationSummary summary, Reason reason) {
            put(index(summary.getProtocol(), null, reason.code()), key, summary);
            put(index(summary.getProtocol(), reason.verdict(), reason.code()), key, summary);
        }

        /**
         * Moves the entries of a conversation whose numbers have changed.
         *
         * @param before its {@link ConversationOrder#entries} before; empty if it has none, or some may be lost
         */
        void move(Bytes key, List<Bytes> before, ConversationSummary summary) {
            List<Bytes> entries = ConversationOrder.entries(key, summary);
            for (int i = 0; i < entries.size(); i++) {
                if (before.isEmpty() || !entries.get(i).equals(before.get(i))) {
                    // First the new one: a changelog that ends between the two has the conversation.
                    writer.accept(entries.get(i), AgentView.PRESENT);
                    if (!before.isEmpty()) {
                        writer.accept(before.get(i), null);
                    }
                }
            }
        }

        void put(Bytes index, Bytes key, ConversationSummary summary) {
            Bytes all = totalKey(index, Optional.empty());
            Bytes own = totalKey(index, Optional.of(summary.getNamespace()));
            IndexNumbers counted = new IndexNumbers(total(all), total(own));
            Bytes entry = indexEntry(index, key);
            byte[] known = store.get(entry);
            IndexNumbers numbers = known == null
                    ? new IndexNumbers(counted.getTotal() + 1, counted.getOwn() + 1)
                    : NUMBERS.decode(known);
            if (known == null) {
                writer.accept(entry, NUMBERS.encode(numbers));
            }
            raise(all, counted.getTotal(), numbers.getTotal());
            raise(own, counted.getOwn(), numbers.getOwn());
        }

        private long total(Bytes key) {
            return ViewValues.number(store.get(key));
        }

        private void raise(Bytes total, long counted, long number) {
            if (number > counted) {
                writer.accept(total, ViewValues.number(number));
            }
        }

        /** Number of messages with a verdict; 0 for the verdict of a later version. */
        private static long count(ConversationSummary summary, Verdict verdict) {
            return switch (verdict) {
                case ACCEPTED -> summary.getAccepted();
                case REJECTED -> summary.getRejected();
                case FLAGGED -> summary.getFlagged();
                case UNDECODABLE -> summary.getUndecodable();
                case UNSPECIFIED -> 0;
            };
        }
    }
}
