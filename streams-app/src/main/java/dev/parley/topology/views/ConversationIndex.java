package dev.parley.topology.views;

import dev.parley.avro.ConversationSummary;
import dev.parley.avro.Verdict;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewStores;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;

/**
 * Writes the indexes of the conversations in {@link ViewStores#AUDIT}. Entries are only added, so pages of a filtered
 * list lose nothing while records arrive. A record adds at most three entries, a conversation at most one for its
 * protocol, each verdict, and each pair of code and verdict; agents choose none of these.
 */
final class ConversationIndex {
    private static final byte[] PRESENT = {};

    private final BiConsumer<Bytes, byte[]> writer;

    /** @param writer receives the entries to put */
    ConversationIndex(BiConsumer<Bytes, byte[]> writer) {
        this.writer = writer;
    }

    /**
     * Adds what the last record of a conversation changes.
     *
     * @param key key of the conversation
     * @param summary summary that counts the record
     * @param verdict verdict on the record before; that of the record itself if it is the first
     * @param code code of the record before; null if there is none
     */
    void add(Bytes key, ConversationSummary summary, Verdict verdict, String code) {
        long messages = summary.getAccepted() + summary.getRejected() + summary.getFlagged() + summary.getUndecodable();
        if (messages <= 1) {
            addProtocol(key, summary);
        }
        if (count(summary, summary.getLastVerdict()) == 1) {
            addVerdict(key, summary, summary.getLastVerdict());
        }
        String lastCode = summary.getLastCode();
        if (lastCode != null && (!lastCode.equals(code) || summary.getLastVerdict() != verdict)) {
            addCode(key, summary, lastCode, summary.getLastVerdict());
        }
    }

    /** Adds what a summary says; other codes than the last one are missing in it. */
    void addAll(Bytes key, ConversationSummary summary) {
        addProtocol(key, summary);
        for (Verdict verdict : Verdict.values()) {
            if (count(summary, verdict) > 0) {
                addVerdict(key, summary, verdict);
            }
        }
        if (summary.getLastCode() != null) {
            addCode(key, summary, summary.getLastCode(), summary.getLastVerdict());
        }
    }

    void addCode(Bytes key, ConversationSummary summary, String code, Verdict verdict) {
        put(ViewKeys.byCode(code, verdict, summary.getProtocol()), key);
    }

    private void addProtocol(Bytes key, ConversationSummary summary) {
        put(ViewKeys.byProtocol(summary.getProtocol()), key);
    }

    private void addVerdict(Bytes key, ConversationSummary summary, Verdict verdict) {
        put(ViewKeys.byVerdict(verdict, summary.getProtocol()), key);
    }

    private void put(Bytes index, Bytes key) {
        writer.accept(ViewKeys.indexEntry(index, key), PRESENT);
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
