package dev.parley.topology.views;

import dev.parley.avro.ConversationSummary;
import dev.parley.topology.views.read.MergedRange;
import dev.parley.topology.views.store.ViewKeys;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * An order of a list of conversations. Each number that it sorts by has an index, with one entry of each conversation,
 * the greatest number first, and equal ones by namespace, protocol and ID. An ascending list is the same, backwards.
 *
 * @param by number to sort by
 * @param ascending whether the smallest is first
 */
public record ConversationOrder(By by, boolean ascending) {
    /** The one with the latest message first. */
    public static final ConversationOrder LATEST = new ConversationOrder(By.LAST, false);

    private static final int ENTRY = 15;
    /** Kind of the keys of an ascending list, which no store has: the complements of the keys of its entries. */
    private static final int ASCENDING = 0;

    private static final long MAX_NUMBER = (1L << 56) - 1;
    private static final int MAX_EXACT = 1_000;

    /** Length of the kind and the number in an entry. */
    private static final int NUMBER_END = 1 + Long.BYTES;

    /** Number to sort by; its position in this list is stored. */
    public enum By {
        /** Time of the latest message, of which only the second counts. */
        LAST(summary -> summary.getLastTime().getEpochSecond()),
        /** Time of the first message, to the second. */
        FIRST(summary -> summary.getFirstTime().getEpochSecond()),
        MESSAGES(summary -> leading(messages(summary))),
        /** Rejected, flagged and undecodable messages. */
        ERRORS(summary -> leading(errors(summary))),
        /** Errors in a thousand messages. */
        RATE(summary -> MAX_EXACT * errors(summary) / Math.max(1, messages(summary)));

        private final ToLongFunction<ConversationSummary> number;

        By(ToLongFunction<ConversationSummary> number) {
            this.number = number;
        }

        private static long messages(ConversationSummary summary) {
            return summary.getLastSequence() + 1;
        }

        private static long errors(ConversationSummary summary) {
            return summary.getRejected() + summary.getFlagged() + summary.getUndecodable();
        }

        /**
         * The first three digits of a number, then zeros. So an entry has few places, and reads pass few that it has
         * left, until a compaction of the store removes them.
         */
        private static long leading(long number) {
            long unit = 1;
            while (number / unit >= MAX_EXACT) {
                unit *= 10;
            }
            return number / unit * unit;
        }

        private Bytes entry(Bytes conversation, ConversationSummary summary) {
            long rank = MAX_NUMBER - Math.min(MAX_NUMBER, Math.max(0, number.applyAsLong(summary)));
            Bytes prefix =
                    ViewKeys.of(ENTRY).number((long) ordinal() << 56 | rank).build();
            return ConversationView.indexEntry(prefix, conversation);
        }

        /** Key prefix of the index. */
        Bytes prefix() {
            return Bytes.wrap(new byte[] {ENTRY, (byte) ordinal()});
        }
    }

    /** Keys of a conversation in all indexes. They have no values. */
    static List<Bytes> entries(Bytes conversation, ConversationSummary summary) {
        return Arrays.stream(By.values())
                .map(by -> by.entry(conversation, summary))
                .toList();
    }

    /** Key of a conversation in the list. */
    Bytes key(Bytes conversation, ConversationSummary summary) {
        return listed(by.entry(conversation, summary));
    }

    /** Key prefix of the list. */
    Bytes prefix() {
        return listed(by.prefix());
    }

    /** Key of the conversation that has a key in the list. */
    Bytes conversation(Bytes key) {
        byte[] entry = listed(key).get();
        // Another client may have written a shorter key, which belongs to no conversation.
        byte[] conversation = Arrays.copyOfRange(entry, NUMBER_END - 1, Math.max(NUMBER_END, entry.length));
        conversation[0] = ConversationView.CONVERSATION;
        return Bytes.wrap(conversation);
    }

    /** The entries of the list after a key of it. */
    void addTo(MergedRange range, List<ReadOnlyKeyValueStore<Bytes, byte[]>> partitions, Bytes after) {
        Bytes end = ViewKeys.after(by.prefix());
        if (ascending) {
            range.addReversed(partitions, by.prefix(), after == null ? end : listed(after), this::listed);
        } else {
            range.add(partitions, after == null ? by.prefix() : ViewKeys.next(after), end, this::listed);
        }
    }

    /** Key in the list of an entry, and the other way round. No key is a prefix of another, so this turns the order. */
    private Bytes listed(Bytes entry) {
        if (!ascending) {
            return entry;
        }
        byte[] key = entry.get().clone();
        key[0] = (byte) (ENTRY + ASCENDING - key[0]);
        for (int i = 1; i < key.length; i++) {
            key[i] = (byte) ~key[i];
        }
        return Bytes.wrap(key);
    }
}
