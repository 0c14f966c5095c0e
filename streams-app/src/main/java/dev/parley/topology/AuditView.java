package dev.parley.topology;

import dev.parley.audit.Redactions;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.decode.ConversationKey;
import dev.parley.topology.ViewKeys.Beginning;
import java.nio.ByteBuffer;
import java.time.Instant;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Audit records into {@link ViewStores#AUDIT}. Every put may be repeated: a message and its place in the input are put as they are, and a summary ignores what it has
 * counted, which it knows by the sequence.
 *
 * <p>A record that was redacted is put without its content: when its redaction is recorded behind it, and at once where that is known already, as when the
 * view is built anew.
 */
final class AuditView extends ContextualProcessor<byte[], byte[], Void, Void> {

    /** Stands for the namespace where there is none; no conversation of protocol UNKNOWN can have it otherwise. */
    static final String NO_NAMESPACE = "-";

    private final Topic<String, AuditRecord> topic;
    private final Topic<String, Redaction> redactions;
    private final long retention;
    private final Observer observer;
    private KeyValueStore<Bytes, byte[]> store;
    private KeyValueStore<Bytes, byte[]> redacted;

    AuditView(Topics topics, ViewRetention retention, Observer observer) {
        this.topic = topics.audit();
        this.redactions = topics.redaction();
        this.retention = retention.conversations();
        this.observer = observer;
    }

    @Override
    public void init(ProcessorContext<Void, Void> context) {
        super.init(context);
        store = context.getStateStore(ViewStores.AUDIT);
        redacted = context.getStateStore(ViewStores.REDACTIONS);
        if (retention != ViewRetention.FOREVER) {
            Sweep.schedule(context, new SilentConversations(store, retention)::forget);
        }
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        AuditRecord audit = topic.readPatiently(record.value());
        Identity identity = Identity.of(audit);
        Bytes key = ViewKeys.conversation(identity.namespace, identity.protocol, identity.conversation);
        byte[] before = store.get(key);
        if (before == null && audit.getSequence() > 0) {
            // The audit topic has lost what came before, and this view never had it.
            Beginning late = new Beginning(audit.getSequence(), Beginning.NEVER_HELD);
            store.put(ViewKeys.beginning(audit.getChain()), late.toBytes());
        }
        ConversationSummary summary =
                ViewValues.CONVERSATION.readOrSkip(before).orElseGet(() -> empty(identity, audit));
        boolean again = audit.getSequence() <= summary.getLastSequence();
        if (!again || !isPruned(audit)) {
            show(audit, record.value());
        }
        if (!again) {
            count(summary, audit);
            store.put(key, ViewValues.CONVERSATION.encode(summary));
        }
        observer.shown(audit.getSource().getTimestamp());
    }

    /** Whether the message went already. */
    private boolean isPruned(AuditRecord audit) {
        byte[] beginning = store.get(ViewKeys.beginning(audit.getChain()));
        return beginning != null
                && audit.getSequence() < Beginning.of(beginning).first();
    }

    private void show(AuditRecord audit, byte[] value) {
        Bytes source = ViewKeys.source(audit.getSource());
        byte[] redaction = redacted.get(source);
        if (redaction == null || !forget(redactions.readPatiently(redaction), audit)) {
            store.put(ViewKeys.message(audit.getChain(), audit.getSequence()), value);
        }
        store.put(source, new ViewKeys.Link(audit.getChain(), audit.getSequence()).toBytes());
        if (audit.getRedaction() != null) {
            forget(audit.getRedaction());
        }
    }

    /** Puts the record that a redaction is about without its content, if it is here. */
    private void forget(Redaction redaction) {
        byte[] place = store.get(ViewKeys.source(redaction.getSource()));
        if (place != null) {
            ViewKeys.Link link = ViewKeys.Link.of(place);
            byte[] message = store.get(ViewKeys.message(link.chain(), link.sequence()));
            if (message != null) {
                forget(redaction, topic.readPatiently(message));
            }
        }
    }

    private boolean forget(Redaction redaction, AuditRecord audit) {
        if (!Redactions.concerns(redaction, audit)) {
            return false;
        }
        store.put(
                ViewKeys.message(audit.getChain(), audit.getSequence()),
                topic.writePatiently(Redactions.redact(audit, redaction)));
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
        // Agents choose the time of their records: one that is dated back must not make its conversation old.
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
            return message == null
                    ? ofChain(audit.getChain())
                    : new Identity(message.getNamespace(), message.getProtocol(), message.getConversation());
        }

        private static Identity ofChain(String chain) {
            try {
                ConversationKey key = ConversationKey.parse(chain);
                return new Identity(
                        key.namespace().isEmpty() ? NO_NAMESPACE : key.namespace(), key.protocol(), key.conversation());
            } catch (IllegalArgumentException e) {
                // A chain of a protocol that only a later version knows.
                return new Identity(NO_NAMESPACE, Protocol.UNKNOWN, chain);
            }
        }
    }
}
