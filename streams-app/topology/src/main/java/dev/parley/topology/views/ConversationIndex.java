package dev.parley.topology.views;

import dev.parley.avro.ConversationSummary;
import dev.parley.avro.Protocol;
import dev.parley.avro.Verdict;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewKeys.IndexNumbers;
import dev.parley.topology.views.store.ViewStores;
import dev.parley.topology.views.store.ViewValues;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Writes the indexes of the conversations in {@link ViewStores#AUDIT}, and the number of conversations in each. A
 * conversation stays in an index. Only its entry by time moves. So a record adds at most four entries with their two
 * numbers, and moves one; a conversation has at most one for its protocol, each verdict, each code, and each pair of
 * both. Agents choose none of these.
 */
final class ConversationIndex {
    private final KeyValueStore<Bytes, byte[]> store;
    private final BiConsumer<Bytes, byte[]> writer;

    /**
     * @param store has the entries of earlier records
     * @param writer receives the entries to put; a null value deletes one
     */
    ConversationIndex(KeyValueStore<Bytes, byte[]> store, BiConsumer<Bytes, byte[]> writer) {
        this.store = store;
        this.writer = writer;
    }

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
        long messages = summary.getAccepted() + summary.getRejected() + summary.getFlagged() + summary.getUndecodable();
        if (messages <= 1) {
            put(ViewKeys.byProtocol(protocol), key, summary);
        }
        if (count(summary, last.verdict()) == 1) {
            put(ViewKeys.byVerdict(last.verdict(), protocol), key, summary);
        }
        if (last.code() != null && !last.equals(before)) {
            putCode(key, summary, last);
        }
    }

    /** Adds what a record has changed that the summary has counted before: a crash may have lost some of it. */
    void addAgain(Bytes key, ConversationSummary summary, Reason reason) {
        put(ViewKeys.byProtocol(summary.getProtocol()), key, summary);
        if (count(summary, reason.verdict()) > 0) {
            put(ViewKeys.byVerdict(reason.verdict(), summary.getProtocol()), key, summary);
        }
        if (reason.code() != null) {
            putCode(key, summary, reason);
        }
    }

    private void putCode(Bytes key, ConversationSummary summary, Reason reason) {
        put(ViewKeys.byCode(reason.code(), summary.getProtocol()), key, summary);
        put(ViewKeys.byCode(reason.code(), reason.verdict(), summary.getProtocol()), key, summary);
    }

    /**
     * Moves the entry of a conversation by time, at most once a second: reads pass the entries that it has left, until
     * a compaction of the store removes them.
     *
     * @param before time of its latest message before; null if it has no entry
     */
    void move(Bytes key, Instant before, Instant last) {
        if (before == null || before.getEpochSecond() != last.getEpochSecond()) {
            // First the new one: a changelog that ends between the two has the conversation.
            writer.accept(ViewKeys.latest(key, last), key.get());
            if (before != null) {
                writer.accept(ViewKeys.latest(key, before), null);
            }
        }
    }

    private void put(Bytes index, Bytes key, ConversationSummary summary) {
        Bytes all = ViewKeys.total(index, Optional.empty());
        Bytes own = ViewKeys.total(index, Optional.of(summary.getNamespace()));
        IndexNumbers counted = new IndexNumbers(total(all), total(own));
        Bytes entry = ViewKeys.indexEntry(index, key);
        byte[] known = store.get(entry);
        IndexNumbers numbers =
                known == null ? new IndexNumbers(counted.all() + 1, counted.own() + 1) : IndexNumbers.of(known);
        if (known == null) {
            writer.accept(entry, numbers.toBytes());
        }
        raise(all, counted.all(), numbers.all());
        raise(own, counted.own(), numbers.own());
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
