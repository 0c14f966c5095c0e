package dev.parley.topology.views;

import dev.parley.audit.Redactions;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.decode.ConversationKey;
import dev.parley.topology.setup.ChainPartitioner;
import dev.parley.topology.setup.Topic;
import dev.parley.topology.setup.Topics;
import dev.parley.topology.views.ViewKeys.ChainStart;
import java.nio.ByteBuffer;
import java.time.Instant;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Audit records into {@link ViewStores#AUDIT}. Every put may be repeated: a message and its place in the input are put
 * as they are, and a summary ignores what it has counted, which it knows by the sequence.
 *
 * <p>A record that was redacted is put without its content: when its redaction is recorded behind it, and at once where
 * that is known already, as when the view is built anew.
 */
final class AuditView extends ContextualProcessor<byte[], byte[], Void, Void> {
    private final Topic<String, AuditRecord> topic;
    private final Topic<String, Redaction> redactions;
    private final long retention;
    private final ViewsListener listener;
    private KeyValueStore<Bytes, byte[]> store;
    private KeyValueStore<Bytes, byte[]> redacted;

    AuditView(Topics topics, ViewRetention retention, ViewsListener listener) {
        this.topic = topics.audit();
        this.redactions = topics.redaction();
        this.retention = retention.conversations();
        this.listener = listener;
    }

    @Override
    public void init(ProcessorContext<Void, Void> context) {
        super.init(context);
        store = context.getStateStore(ViewStores.AUDIT);
        redacted = context.getStateStore(ViewStores.REDACTIONS);
        if (retention != ViewRetention.FOREVER) {
            StoreSweeper.schedule(context, new IdleConversationPruner(store, retention)::forget);
        }
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        AuditRecord audit = RegistryRetry.read(topic, record.value());
        Identity identity = Identity.of(audit);
        Bytes key = ViewKeys.conversation(identity.namespace, identity.protocol, identity.conversation);
        byte[] before = store.get(key);
        if (before == null && audit.getSequence() > 0) {
            // The audit topic has lost what came before, and this view never had it.
            ChainStart late = new ChainStart(audit.getSequence(), ChainStart.NEVER_HELD);
            store.put(ViewKeys.beginning(audit.getChain()), late.toBytes());
        }
        ConversationSummary summary =
                ViewValues.CONVERSATION.readOrSkip(before).orElseGet(() -> empty(identity, audit));
        boolean again = audit.getSequence() <= summary.getLastSequence();
        if (!again || !isPruned(audit)) {
            show(audit, record.value(), again);
        }
        if (!again) {
            count(summary, audit);
            store.put(key, ViewValues.CONVERSATION.encode(summary));
        }
        listener.visible(audit.getSource().getTimestamp());
    }

    /** Whether the message went already. */
    private boolean isPruned(AuditRecord audit) {
        byte[] beginning = store.get(ViewKeys.beginning(audit.getChain()));
        return beginning != null
                && audit.getSequence() < ChainStart.of(beginning).first();
    }

    private void show(AuditRecord audit, byte[] value, boolean again) {
        Bytes key = ViewKeys.message(audit.getChain(), audit.getSequence());
        if (!again || !isRedacted(store.get(key))) {
            byte[] redaction = redacted.get(ViewKeys.redaction(
                    audit.getSource(), audit.getPayloadHash(), audit.getChain(), audit.getSequence()));
            if (redaction == null || !redact(audit, RegistryRetry.read(redactions, redaction))) {
                store.put(key, value);
            }
        }
        store.put(
                ViewKeys.source(audit.getSource()),
                new ViewKeys.ChainPosition(audit.getChain(), audit.getSequence()).toBytes());
        if (Redactions.isEvent(audit)) {
            take(audit);
        }
    }

    private boolean isRedacted(byte[] message) {
        return message != null && RegistryRetry.read(topic, message).getRedacted() != null;
    }

    /**
     * Takes the record of a redaction: the first that names a record hides its content for good, and what the view knew
     * from the redaction topic gives way to it.
     */
    private void take(AuditRecord event) {
        Redaction redaction = event.getRedaction();
        Bytes marker = ViewKeys.redacted(redaction.getChain(), redaction.getSequence());
        byte[] message = store.get(ViewKeys.message(redaction.getChain(), redaction.getSequence()));
        if (message == null || store.get(marker) != null) {
            return;
        }
        if (redact(RegistryRetry.read(topic, message), redaction)) {
            store.put(
                    marker,
                    ByteBuffer.allocate(Long.BYTES).putLong(event.getSequence()).array());
        }
    }

    /** Puts a record without its content, if the redaction names it. */
    private boolean redact(AuditRecord audit, Redaction redaction) {
        if (!Redactions.concerns(redaction, audit)) {
            return false;
        }
        store.put(
                ViewKeys.message(audit.getChain(), audit.getSequence()),
                RegistryRetry.write(topic, Redactions.redact(audit, redaction)));
        return true;
    }

    /** The summary of a conversation of which this record is the first, before it is counted. */
    private static ConversationSummary empty(Identity identity, AuditRecord audit) {
        Instant time = audit.getSource().getTimestamp();
        return ConversationSummary.newBuilder()
                .setChain(audit.getChain())
                .setNamespace(identity.namespace)
                .setProtocol(identity.protocol)
                .setConversation(identity.conversation)
                .setFirstTime(time)
                .setLastTime(time)
                .setLastSequence(-1)
                .setLastHash(ByteBuffer.allocate(0))
                .setLastVerdict(audit.getVerdict())
                .build();
    }

    private static void count(ConversationSummary summary, AuditRecord audit) {
        switch (audit.getVerdict()) {
            case ACCEPTED -> summary.setAccepted(summary.getAccepted() + 1);
            case REJECTED -> summary.setRejected(summary.getRejected() + 1);
            case FLAGGED -> summary.setFlagged(summary.getFlagged() + 1);
            case UNDECODABLE -> summary.setUndecodable(summary.getUndecodable() + 1);
            case UNSPECIFIED -> {
                // A verdict of a later version counts in none of these columns.
            }
        }
        // Records of several input partitions are not in the order of their times.
        if (audit.getSource().getTimestamp().isAfter(summary.getLastTime())) {
            summary.setLastTime(audit.getSource().getTimestamp());
        }
        summary.setLastSequence(audit.getSequence());
        summary.setLastHash(audit.getHash());
        summary.setLastVerdict(audit.getVerdict());
        summary.setLastCode(audit.getCode());
    }

    /** Whose record it is: the message says so; without one, the chain does if it is that of a conversation. */
    private record Identity(String namespace, Protocol protocol, String conversation) {

        static Identity of(AuditRecord audit) {
            AgentMessage message = audit.getMessage();
            return message == null || message.getProtocol() == Protocol.EXTENSION
                    ? ofChain(audit.getChain())
                    : new Identity(message.getNamespace(), message.getProtocol(), message.getConversation());
        }

        private static Identity ofChain(String chain) {
            try {
                ConversationKey key = ConversationKey.parse(chain);
                return new Identity(
                        key.namespace().isEmpty() ? ChainPartitioner.NO_NAMESPACE : key.namespace(),
                        key.symbol(),
                        key.nameInViews());
            } catch (IllegalArgumentException e) {
                // A chain whose name only a later version can parse.
                return new Identity(ChainPartitioner.NO_NAMESPACE, Protocol.UNKNOWN, chain);
            }
        }
    }
}
