package dev.parley.topology.views;

import dev.parley.audit.InputPosition;
import dev.parley.audit.Redactions;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.avro.Verdict;
import dev.parley.codec.Symbols;
import dev.parley.serde.UnreadableRecordException;
import dev.parley.topology.topics.ChainNames;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.ConversationIndex.Reason;
import dev.parley.topology.views.search.SearchIndex;
import dev.parley.topology.views.search.SearchIndexBuilder;
import dev.parley.topology.views.store.RegistryRetry;
import dev.parley.topology.views.store.StoreSweeper;
import dev.parley.topology.views.store.ViewKeys;
import dev.parley.topology.views.store.ViewKeys.ChainStart;
import dev.parley.topology.views.store.ViewStores;
import dev.parley.topology.views.store.ViewValues;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores audit records in {@link ViewStores#AUDIT}. Every put may be repeated: messages and input positions are stored
 * unchanged, and a summary skips records that it has counted, by their sequence.
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

    private final Topic<String, AuditRecord> topic;
    private final Topic<String, Redaction> redactions;
    private final long retention;
    private final boolean searchable;
    private final ViewsListener listener;

    /** Entries of the record in progress, which are written at once. */
    private final List<KeyValue<Bytes, byte[]>> entries = new ArrayList<>();

    private KeyValueStore<Bytes, byte[]> store;
    private KeyValueStore<Bytes, byte[]> redacted;
    private ConversationIndex index;
    private AgentIndex agents;
    private ClaimIndex claims;
    private SearchIndex search;
    private Map<Bytes, ConversationSummary> recent;

    /** @param searchable whether to maintain the search index */
    AuditView(Topics topics, ViewRetention retention, boolean searchable, ViewsListener listener) {
        this.topic = topics.audit();
        this.redactions = topics.redaction();
        this.retention = retention.conversations();
        this.searchable = searchable;
        this.listener = listener;
    }

    @Override
    public void init(ProcessorContext<Void, Void> context) {
        super.init(context);
        store = context.getStateStore(ViewStores.AUDIT);
        redacted = context.getStateStore(ViewStores.REDACTIONS);
        index = new ConversationIndex(store, this::write);
        agents = new AgentIndex(store);
        claims = new ClaimIndex(store);
        search = new SearchIndex(store, searchable);
        recent = recentlyUsed();
        entries.clear();
        SearchIndexBuilder.schedule(context, store, search, topic);
        if (retention != ViewRetention.FOREVER) {
            StoreSweeper.schedule(context, new IdleConversationPruner(store, this::remove, retention)::prune);
        }
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        // Not empty if the record before was skipped halfway.
        entries.clear();
        AuditRecord audit = RegistryRetry.read(topic, record.value());
        ChainNames names = names(audit);
        Bytes key = conversation(names);
        // Not kept if the record is skipped halfway.
        ConversationSummary summary = recent.remove(key);
        if (summary == null) {
            byte[] before = store.get(key);
            if (before == null && audit.getSequence() > 0) {
                // The audit topic no longer has the earlier records, and this view never had them.
                ChainStart start = new ChainStart(audit.getSequence(), ChainStart.NEVER_HELD);
                write(ViewKeys.chainStart(audit.getChain()), start.toBytes());
            }
            summary = ViewValues.CONVERSATION.readOrSkip(before).orElseGet(() -> empty(names, audit));
        }
        boolean reprocessed = audit.getSequence() <= summary.getLastSequence();
        if (!reprocessed || !isPruned(audit)) {
            store(audit, key, record.value(), reprocessed);
        }
        if (reprocessed) {
            index.addAgain(key, summary, new Reason(Symbols.VERDICT.of(audit.getVerdict()), audit.getCode()));
        } else {
            Instant lastTime = summary.getLastSequence() < 0 ? null : summary.getLastTime();
            Reason last = Reason.last(summary);
            count(summary, audit);
            index.move(key, lastTime, summary.getLastTime());
            index.add(key, summary, last);
            write(key, ViewValues.CONVERSATION.encode(summary));
        }
        store.putAll(entries);
        if (Redactions.isEvent(audit)) {
            applyRedaction(audit);
        }
        if (key.get().length <= MAX_RECENT_KEY_BYTES) {
            recent.put(key, summary);
        }
        listener.visible(audit.getSource().getTimestamp());
    }

    /** Summaries as they are in the store, the least recently used first, because a used one is inserted again. */
    private static Map<Bytes, ConversationSummary> recentlyUsed() {
        return new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Bytes, ConversationSummary> eldest) {
                return size() > MAX_RECENT;
            }
        };
    }

    private boolean isPruned(AuditRecord audit) {
        byte[] start = store.get(ViewKeys.chainStart(audit.getChain()));
        return start != null && audit.getSequence() < ChainStart.of(start).first();
    }

    private void store(AuditRecord audit, Bytes conversation, byte[] value, boolean reprocessed) {
        InputPosition position = InputPosition.of(audit.getSource());
        Bytes key = ViewKeys.message(audit.getChain(), audit.getSequence());
        if (!reprocessed || !isRedacted(store.get(key))) {
            byte[] known =
                    redacted.get(ViewKeys.redaction(position, audit.getHash(), audit.getChain(), audit.getSequence()));
            Redaction redaction = known == null ? null : RegistryRetry.read(redactions, known);
            if (redaction != null && Redactions.concerns(redaction, audit)) {
                redact(audit, redaction);
            } else {
                write(key, value);
                search.put(audit, this::write);
                agents.add(audit, conversation, this::write);
                claims.add(audit, this::write);
            }
        }
        write(ViewKeys.source(position), new ViewKeys.ChainPosition(audit.getChain(), audit.getSequence()).toBytes());
    }

    /** Removes a pruned message from the indexes. */
    private void remove(Bytes conversation, byte[] message, boolean whole) {
        readOrLog(message).ifPresent(audit -> {
            search.remove(audit);
            claims.remove(audit);
            if (whole) {
                agents.remove(audit, conversation);
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

    private boolean isRedacted(byte[] message) {
        return message != null && RegistryRetry.read(topic, message).getRedacted() != null;
    }

    /**
     * Applies a recorded redaction. The first one that names a record removes its content permanently, and overrides
     * requests from the redaction topic.
     */
    private void applyRedaction(AuditRecord event) {
        Redaction redaction = event.getRedaction();
        Bytes marker = ViewKeys.redacted(redaction.getChain(), redaction.getSequence());
        byte[] message = store.get(ViewKeys.message(redaction.getChain(), redaction.getSequence()));
        if (message == null || store.get(marker) != null) {
            return;
        }
        AuditRecord audit = RegistryRetry.read(topic, message);
        if (!Redactions.concerns(redaction, audit)) {
            return;
        }
        removeAgents(audit);
        claims.remove(audit);
        entries.clear();
        redact(audit, redaction);
        write(marker, ViewValues.number(event.getSequence()));
        store.putAll(entries);
    }

    /**
     * Removes the agents of a message from the index, unless one of the first {@link #MAX_REREAD_MESSAGES} messages of
     * its conversation, within the bytes of a slice, names them too. An agent that only later ones name returns with
     * its next message.
     */
    private void removeAgents(AuditRecord audit) {
        Bytes conversation = conversation(names(audit));
        agents.remove(audit, conversation);
        List<byte[]> messages = new ArrayList<>();
        StoreSweeper.read(
                store,
                ViewKeys.message(audit.getChain(), 0),
                ViewKeys.message(audit.getChain(), Long.MAX_VALUE),
                new StoreSweeper.Budget(MAX_REREAD_MESSAGES),
                message -> messages.add(message.value));
        messages.forEach(message -> readOrLog(message)
                .filter(other -> other.getSequence() != audit.getSequence())
                .ifPresent(other -> agents.add(other, conversation, store::put)));
    }

    /** Writes a record without its content. */
    private void redact(AuditRecord audit, Redaction redaction) {
        AuditRecord copy = Redactions.redact(audit, redaction);
        // First the index: a changelog that ends between the two has no words of a record without content.
        search.put(copy, this::write);
        write(ViewKeys.message(audit.getChain(), audit.getSequence()), RegistryRetry.write(topic, copy));
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

    /** Store key of a conversation. */
    private static Bytes conversation(ChainNames names) {
        return ViewKeys.conversation(names.namespace(), names.protocol(), names.conversation());
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
