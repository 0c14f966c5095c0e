package dev.parley.topology.views;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Verdict;
import dev.parley.codec.Symbols;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewStores;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Writes the index of the conversations of each agent in {@link ViewStores#AUDIT}: an entry for the sender and the
 * recipients of each accepted message. Claims do not count. Agents choose all names, so a message adds a bounded number
 * of entries with a bounded number of bytes.
 */
final class AgentIndex {
    /** Maximum agents of a message that are in the index, its sender first. */
    static final int MAX_AGENTS = 100;

    /** Maximum bytes of the entries of a message. */
    static final int MAX_BYTES = 64 << 10;

    private static final byte[] PRESENT = {};

    private final KeyValueStore<Bytes, byte[]> store;

    AgentIndex(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    /**
     * Adds the agents of a message that are not in the index.
     *
     * @param conversation key of its conversation
     * @param writer receives the entries to put
     */
    void add(AuditRecord audit, Bytes conversation, BiConsumer<Bytes, byte[]> writer) {
        for (Bytes entry : entries(audit, conversation)) {
            if (store.get(entry) == null) {
                writer.accept(entry, PRESENT);
            }
        }
    }

    /** Removes the agents of a message of a conversation that is deleted. */
    void remove(AuditRecord audit, Bytes conversation) {
        entries(audit, conversation).forEach(store::delete);
    }

    private static Collection<Bytes> entries(AuditRecord audit, Bytes conversation) {
        AgentMessage message = audit.getMessage();
        if (message == null || Symbols.VERDICT.of(audit.getVerdict()) != Verdict.ACCEPTED) {
            return List.of();
        }
        Set<Bytes> entries = new LinkedHashSet<>();
        int bytes = message.getSender() == null ? 0 : add(entries, message.getSender(), conversation);
        for (String recipient : message.getRecipients()) {
            if (entries.size() >= MAX_AGENTS || bytes > MAX_BYTES) {
                break;
            }
            bytes += add(entries, recipient, conversation);
        }
        return entries;
    }

    /** Adds an entry, and returns its bytes. */
    private static int add(Set<Bytes> entries, String agent, Bytes conversation) {
        Bytes entry = ViewKeys.indexEntry(ViewKeys.byAgent(agent), conversation);
        entries.add(entry);
        return entry.get().length;
    }
}
