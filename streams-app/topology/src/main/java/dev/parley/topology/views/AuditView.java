package dev.parley.topology.views;

import dev.parley.audit.InputPosition;
import dev.parley.audit.Redactions;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ChainStart;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.avro.Verdict;
import dev.parley.codec.Symbols;
import dev.parley.serde.UnreadableRecordException;
import dev.parley.topology.kafka.CheckedRestores;
import dev.parley.topology.topics.ChainNames;
import dev.parley.topology.topics.ChainPartitioner;
import dev.parley.topology.topics.PublicContent;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.ConversationView.Writer.Reason;
import dev.parley.topology.views.search.SearchIndex;
import dev.parley.topology.views.search.SearchIndexBuilder;
import dev.parley.topology.views.store.ChainPosition;
import dev.parley.topology.views.store.RegistryRetry;
import dev.parley.topology.views.store.StoreSweeper;
import dev.parley.topology.views.store.ViewStores;
import dev.parley.topology.views.store.ViewValues;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.cache.LRUCache;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what {@link ViewStores#AUDIT} derives from audit records: {@link MessageView}, {@link ConversationView},
 * {@link AgentView}, {@link ClaimView}, {@link ApprovalView} and the search index. Every put may be repeated: messages
 * and input positions are stored unchanged, and a summary skips records that it has counted, by their sequence.
 *
 * <p>A redacted record is stored without its content: as soon as its redaction is recorded, or at once if the redaction
 * is already known, as when the view is rebuilt.
 */
final class AuditView extends ContextualProcessor<byte[], byte[], Void, Void> {
    private static final Logger LOG = LoggerFactory.getLogger(AuditView.class);

    /** Maximum number of summaries in memory. */
    private static final int MAX_RECENT = 1_000;

    /** Maximum number of messages that a redaction reads again for the index of agents. */
    private static final int MAX_REREAD_MESSAGES = 1_000;

    /** Agents choose the names of conversations; summaries with longer ones are not kept in memory. */
    private static final int MAX_RECENT_KEY_BYTES = 512;

    /** Maximum number of agents of a conversation in memory. */
    private static final int MAX_RECENT_AGENTS = 16;

    private final Topic<String, AuditRecord> topic;
    private final Topic<String, Redaction> redactions;
    private final int partitions;
    private final long retention;
    private final Optional<PublicContent> searchable;
    private final ViewsListener listener;

    /** Entries of the record in progress, which are written at once. */
    private final List<KeyValue<Bytes, byte[]>> entries = new ArrayList<>();

    private KeyValueStore<Bytes, byte[]> store;
    private KeyValueStore<Bytes, byte[]> redacted;
    private ConversationView.Writer conversations;
    private SearchIndex search;

    /** Summaries as they are in the store. */
    private LRUCache<Bytes, Recent> recent;

    /**
     * What the store has of a conversation.
     *
     * @param agents some entries of {@link AgentView}
     */
    private record Recent(ConversationSummary summary, Set<Bytes> agents) {}

    /** @param searchable as in {@link SearchIndex} */
    AuditView(
            Topics topics,
            int partitions,
            ViewRetention retention,
            Optional<PublicContent> searchable,
            ViewsListener listener) {
        this.topic = topics.audit();
        this.redactions = topics.redaction();
        this.partitions = partitions;
        this.retention = retention.conversations();
        this.searchable = searchable;
        this.listener = listener;
    }

    @Override
    public void init(ProcessorContext<Void, Void> context) {
        super.init(context);
        store = context.getStateStore(ViewStores.AUDIT);
        CheckedRestores.repair(context, store);
        redacted = context.getStateStore(ViewStores.REDACTIONS);
        conversations = new ConversationView.Writer(store, this::write);
        search = new SearchIndex(store, searchable);
        recent = new LRUCache<>(MAX_RECENT);
        entries.clear();
        SearchIndexBuilder.schedule(context, store, search, topic, MessageView.all());
        if (retention != ViewRetention.FOREVER) {
            StoreSweeper.schedule(context, new IdleConversationPruner(store, this::prune, retention)::prune);
        }
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        // Not empty if the record before was skipped halfway.
        entries.clear();
        AuditRecord audit = RegistryRetry.read(topic, record.value());
        ChainPartitioner.require(audit.getChain(), context().recordMetadata(), partitions);
        ChainNames names = names(audit);
        Bytes key = conversation(names);
        Recent before = recent.get(key);
        // Not kept if the record is skipped halfway.
        recent.remove(key);
        ConversationSummary summary = before == null ? null : before.summary();
        Set<Bytes> agents = before == null ? new HashSet<>() : before.agents();
        if (summary == null) {
            byte[] stored = store.get(key);
            if (stored == null && audit.getSequence() > 0) {
                // The audit topic no longer has the earlier records, and this view never had them.
                write(
                        MessageView.chainStart(audit.getChain()),
                        MessageView.CHAIN_START_VALUE.encode(new ChainStart(audit.getSequence(), null)));
            }
            summary = ConversationView.VALUE.readOrSkip(stored).orElseGet(() -> empty(names, audit));
        }
        boolean reprocessed = audit.getSequence() <= summary.getLastSequence();
        if (!reprocessed || !isPruned(audit)) {
            store(audit, key, agents, record.value(), reprocessed);
        }
        if (reprocessed) {
            conversations.addAgain(key, summary, new Reason(Symbols.VERDICT.of(audit.getVerdict()), audit.getCode()));
        } else {
            List<Bytes> listed = summary.getLastSequence() < 0 ? List.of() : ConversationOrder.entries(key, summary);
            Reason last = Reason.last(summary);
            count(summary, audit);
            conversations.move(key, listed, summary);
            conversations.add(key, summary, last);
            write(key, ConversationView.VALUE.encode(summary));
        }
        store.putAll(entries);
        if (key.get().length <= MAX_RECENT_KEY_BYTES) {
            recent.put(key, new Recent(summary, agents));
        }
        if (Redactions.isEvent(audit)) {
            apply(audit);
        }
        listener.visible(audit.getSource().getTimestamp());
    }

    private boolean isPruned(AuditRecord audit) {
        byte[] start = store.get(MessageView.chainStart(audit.getChain()));
        return start != null
                && audit.getSequence()
                        < MessageView.CHAIN_START_VALUE.decode(start).getFirst();
    }

    private void store(AuditRecord audit, Bytes conversation, Set<Bytes> agents, byte[] value, boolean reprocessed) {
        InputPosition position = InputPosition.of(audit.getSource());
        Bytes key = MessageView.key(audit.getChain(), audit.getSequence());
        byte[] before = reprocessed ? store.get(key) : null;
        AuditRecord stored = before == null ? null : RegistryRetry.read(topic, before);
        if (stored != null && stored.getRedacted() != null) {
            // The store may be ahead of the changelog, which restored an older filter.
            search.replace(stored);
        } else {
            byte[] known =
                    redacted.get(RedactionView.key(position, audit.getHash(), audit.getChain(), audit.getSequence()));
            Redaction redaction =
                    known != null ? RegistryRetry.read(redactions, known) : reprocessed ? recorded(audit) : null;
            if (redaction == null || !Redactions.concerns(redaction, audit)) {
                write(key, value);
                search.add(audit);
                addToIndexes(audit, conversation, agents);
            } else {
                if (stored != null) {
                    removeRedacted(audit, conversation);
                    agents.clear();
                }
                redact(audit, redaction);
            }
        }
        write(MessageView.source(position), new ChainPosition(audit.getChain(), audit.getSequence()).toBytes());
        if (Redactions.isApprovable(audit)
                && store.get(ApprovalView.approved(audit.getChain(), audit.getSequence())) == null) {
            write(ApprovalView.unapproved(audit), key.get());
        }
    }

    /** The recorded redaction of a record that is stored again after its loss; null if there is none. */
    private Redaction recorded(AuditRecord audit) {
        byte[] sequence = store.get(MessageView.redacted(audit.getChain(), audit.getSequence()));
        byte[] event =
                sequence == null ? null : store.get(MessageView.key(audit.getChain(), ViewValues.number(sequence)));
        return event == null ? null : RegistryRetry.read(topic, event).getRedaction();
    }

    /** Adds what the views derive from the content of a record. Opposite: {@link #removeFromIndexes}. */
    private void addToIndexes(AuditRecord audit, Bytes conversation, Set<Bytes> agents) {
        addAgents(audit, conversation, agents);
        ClaimView.add(audit, this::write);
    }

    /**
     * Removes what {@link #addToIndexes} added for a record that still has its content. Search keeps a redacted record.
     *
     * @param agents whether to remove its agents, which other messages may name, too
     */
    private void removeFromIndexes(AuditRecord audit, Bytes conversation, boolean agents) {
        recent.remove(conversation);
        if (agents) {
            AgentView.remove(audit, conversation, store);
        }
        ClaimView.remove(audit, store);
    }

    private void addAgents(AuditRecord audit, Bytes conversation, Set<Bytes> known) {
        for (Bytes entry : AgentView.entries(audit, conversation)) {
            if (!known.contains(entry)) {
                if (store.get(entry) == null) {
                    write(entry, AgentView.PRESENT);
                }
                if (known.size() < MAX_RECENT_AGENTS && entry.get().length <= MAX_RECENT_KEY_BYTES / 2) {
                    known.add(entry);
                }
            }
        }
    }

    /** Removes a pruned message from the indexes. */
    private void prune(Bytes conversation, byte[] message, boolean whole) {
        readOrLog(message).ifPresent(audit -> {
            search.remove(audit);
            removeFromIndexes(audit, conversation, whole);
            if (Redactions.isApprovable(audit)) {
                store.delete(ApprovalView.unapproved(audit));
                store.delete(ApprovalView.approved(audit.getChain(), audit.getSequence()));
            }
        });
    }

    /** Reads a stored message; empty if another client wrote it, which must not stop the work on the others. */
    private Optional<AuditRecord> readOrLog(byte[] message) {
        try {
            return Optional.of(RegistryRetry.read(topic, message));
        } catch (UnreadableRecordException e) {
            LOG.error("{}; it is in no index. Another client wrote to the changelog", e.getMessage());
            return Optional.empty();
        }
    }

    private void write(Bytes key, byte[] value) {
        entries.add(KeyValue.pair(key, value));
    }

    /** Applies a recorded redaction or approval. The first one that names a record is permanent. */
    private void apply(AuditRecord event) {
        Redaction redaction = event.getRedaction();
        byte[] message = store.get(MessageView.key(redaction.getChain(), redaction.getSequence()));
        if (message == null) {
            return;
        }
        AuditRecord audit = RegistryRetry.read(topic, message);
        if (Redactions.approves(redaction, audit)) {
            approve(audit, event);
        } else {
            applyRedaction(audit, event);
        }
    }

    private void approve(AuditRecord audit, AuditRecord event) {
        entries.clear();
        Bytes marker = ApprovalView.approved(audit.getChain(), audit.getSequence());
        if (store.get(marker) == null) {
            write(marker, ViewValues.number(event.getSequence()));
        }
        write(ApprovalView.unapproved(audit), null);
        store.putAll(entries);
    }

    /** Removes the content of a record, and overrides requests from the redaction topic. */
    private void applyRedaction(AuditRecord audit, AuditRecord event) {
        Redaction redaction = event.getRedaction();
        Bytes marker = MessageView.redacted(redaction.getChain(), redaction.getSequence());
        if (audit.getRedacted() != null && store.get(marker) != null) {
            search.replace(audit);
            return;
        }
        if (!Redactions.concerns(redaction, audit)) {
            return;
        }
        removeRedacted(audit, conversation(audit));
        entries.clear();
        redact(audit, redaction);
        write(marker, ViewValues.number(event.getSequence()));
        store.putAll(entries);
    }

    /**
     * Removes a record that loses its content from the indexes. Its agents stay if one of the first {@link
     * #MAX_REREAD_MESSAGES} messages of its conversation, within the bytes of a slice, names them too. An agent that
     * only later ones name returns with its next message.
     */
    private void removeRedacted(AuditRecord audit, Bytes conversation) {
        removeFromIndexes(audit, conversation, true);
        List<byte[]> messages = new ArrayList<>();
        StoreSweeper.read(
                store,
                MessageView.key(audit.getChain(), 0),
                MessageView.key(audit.getChain(), Long.MAX_VALUE),
                new StoreSweeper.Budget(MAX_REREAD_MESSAGES),
                message -> messages.add(message.value));
        messages.forEach(message -> readOrLog(message)
                .filter(other -> other.getSequence() != audit.getSequence())
                .ifPresent(other -> AgentView.put(other, conversation, store)));
    }

    /** Writes a record without its content. */
    private void redact(AuditRecord audit, Redaction redaction) {
        AuditRecord copy = Redactions.redact(audit, redaction);
        // First the index: a changelog that ends between the two has no words of a record without content.
        search.replace(copy);
        write(MessageView.key(audit.getChain(), audit.getSequence()), RegistryRetry.write(topic, copy));
    }

    /** Returns the summary of a conversation before its first record is counted. */
    private static ConversationSummary empty(ChainNames names, AuditRecord audit) {
        Instant time = audit.getSource().getTimestamp();
        return ConversationSummary.newBuilder()
                .setChain(audit.getChain())
                .setNamespace(names.namespace())
                .setProtocol(names.protocol())
                .setConversation(names.conversation())
                .setFirstTime(time)
                .setLastTime(time)
                .setLastSequence(-1)
                .setLastHash(ByteBuffer.allocate(0))
                .setLastVerdict(Symbols.VERDICT.of(audit.getVerdict()))
                .build();
    }

    private static void count(ConversationSummary summary, AuditRecord audit) {
        Verdict verdict = Symbols.VERDICT.of(audit.getVerdict());
        switch (verdict) {
            case ACCEPTED -> summary.setAccepted(summary.getAccepted() + 1);
            case REJECTED -> summary.setRejected(summary.getRejected() + 1);
            case FLAGGED -> summary.setFlagged(summary.getFlagged() + 1);
            case UNDECODABLE -> summary.setUndecodable(summary.getUndecodable() + 1);
            case UNSPECIFIED -> {
                // A verdict of a later version has no count.
            }
        }
        // Records of several input partitions are not ordered by time.
        if (audit.getSource().getTimestamp().isAfter(summary.getLastTime())) {
            summary.setLastTime(audit.getSource().getTimestamp());
        }
        summary.setLastSequence(audit.getSequence());
        summary.setLastHash(audit.getHash());
        summary.setLastVerdict(verdict);
        summary.setLastCode(audit.getCode());
    }

    /** Store key of the conversation of a record. */
    static Bytes conversation(AuditRecord audit) {
        return conversation(names(audit));
    }

    private static Bytes conversation(ChainNames names) {
        return ConversationView.key(names.namespace(), names.protocol(), names.conversation());
    }

    /** The conversation of a record: from its message, else from its chain if that belongs to a conversation. */
    private static ChainNames names(AuditRecord audit) {
        AgentMessage message = audit.getMessage();
        Protocol protocol = message == null ? Protocol.UNKNOWN : Symbols.PROTOCOL.of(message.getProtocol());
        return protocol == Protocol.UNKNOWN || protocol == Protocol.EXTENSION
                ? ChainNames.of(audit.getChain())
                : new ChainNames(message.getNamespace(), protocol, message.getConversation());
    }
}
