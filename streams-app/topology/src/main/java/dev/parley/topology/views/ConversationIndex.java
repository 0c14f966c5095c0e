package dev.parley.topology.views;

import dev.parley.avro.ConversationSummary;
import dev.parley.avro.Protocol;
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
        Protocol protocol = summary.getProtocol();
        Verdict lastVerdict = summary.getLastVerdict();
        String lastCode = summary.getLastCode();
        if (messages <= 1) {
            put(ViewKeys.byProtocol(protocol), key);
        }
        if (count(summary, lastVerdict) == 1) {
            put(ViewKeys.byVerdict(lastVerdict, protocol), key);
        }
        if (lastCode != null && (!lastCode.equals(code) || lastVerdict != verdict)) {
            put(ViewKeys.byCode(lastCode, lastVerdict, protocol), key);
        }
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
