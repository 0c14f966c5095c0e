package dev.parley.topology.views;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.Verdict;
import dev.parley.codec.Symbols;
import dev.parley.topology.views.read.StoreReader;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewStores;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The conversations of each agent in {@link ViewStores#AUDIT}: an entry for the sender and the recipients of each
 * accepted message. Claims do not count. Agents choose all names, so a message adds a bounded number of entries with a
 * bounded number of bytes.
 */
public record AgentView(StoreReader store) {
    private static final int AGENT = 14;

    /** Maximum agents of a message that are in the index, its sender first. */
    static final int MAX_AGENTS = 100;

    /** Maximum bytes of the entries of a message. */
    static final int MAX_BYTES = 64 << 10;

    static final byte[] PRESENT = {};

    /**
     * Lists the conversations of a namespace with an accepted message from or to an agent, in the order of protocol and
     * ID; otherwise like {@link ConversationView#list}.
     */
    public Optional<Bytes> list(
            String namespace,
            String agent,
            Optional<Bytes> after,
            int limit,
            BiPredicate<Bytes, ConversationSummary> page) {
        Bytes range = ConversationView.prefix(Optional.of(namespace), Optional.empty());
        return store.partitions(partitions -> IndexScan.scan(
                store.scope().includes(namespace) ? partitions : List.of(),
                List.of(index(agent)),
                range,
                after,
                limit,
                page));
    }

    /** Key prefix of the index of an agent. */
    static Bytes index(String agent) {
        return ViewKeys.of(AGENT).text(agent).build();
    }

    /** Adds the agents of a message. */
    static void put(AuditRecord audit, Bytes conversation, KeyValueStore<Bytes, byte[]> store) {
        entries(audit, conversation).forEach(entry -> store.put(entry, PRESENT));
    }

    /** Removes the agents of a message of a conversation that is deleted. */
    static void remove(AuditRecord audit, Bytes conversation, KeyValueStore<Bytes, byte[]> store) {
        entries(audit, conversation).forEach(store::delete);
    }

    /** The entries of a message, whose values are {@link #PRESENT}. */
    static Collection<Bytes> entries(AuditRecord audit, Bytes conversation) {
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
        Bytes entry = ConversationView.indexEntry(index(agent), conversation);
        entries.add(entry);
        return entry.get().length;
    }
}
