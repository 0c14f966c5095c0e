package dev.parley.topology.views;

import dev.parley.audit.InputPosition;
import dev.parley.audit.Redactions;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.AuditTile;
import dev.parley.avro.ChainStart;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.ClaimedRecord;
import dev.parley.avro.ConversationSummary;
import dev.parley.avro.DeadLetterSummary;
import dev.parley.avro.OpenItem;
import dev.parley.avro.ParkedItem;
import dev.parley.avro.Protocol;
import dev.parley.avro.Redaction;
import dev.parley.state.StateSource;
import dev.parley.topology.topics.Statistic;
import dev.parley.topology.topics.StatisticRow;
import dev.parley.topology.topics.Topic;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.store.ChainPosition;
import dev.parley.topology.views.store.ViewValues;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Writes single entries of views into a store of a test, as the views would.
 *
 * @param topics encode the values
 */
public record StoredViews(Topics topics, KeyValueStore<Bytes, byte[]> store) {

    /** A summary, in the indexes of its last verdict and code. */
    public void put(ConversationSummary summary) {
        Bytes key = conversation(summary.getNamespace(), summary.getProtocol(), summary.getConversation());
        store.put(key, ConversationView.VALUE.encode(summary));
        ConversationView.Writer writer = new ConversationView.Writer(store, store::put);
        writer.move(key, List.of(), summary);
        writer.put(ConversationView.index(summary.getProtocol(), null, null), key, summary);
        writer.put(ConversationView.index(summary.getProtocol(), summary.getLastVerdict(), null), key, summary);
        if (summary.getLastCode() != null) {
            writer.put(ConversationView.index(summary.getProtocol(), null, summary.getLastCode()), key, summary);
            writer.put(
                    ConversationView.index(summary.getProtocol(), summary.getLastVerdict(), summary.getLastCode()),
                    key,
                    summary);
        }
    }

    /** Key of a conversation. */
    public static Bytes conversation(String namespace, Protocol protocol, String conversation) {
        return ConversationView.key(namespace, protocol, conversation);
    }

    /** Key of a conversation in the list of conversations. */
    public static Bytes listed(ConversationSummary summary) {
        return ConversationOrder.LATEST.key(
                conversation(summary.getNamespace(), summary.getProtocol(), summary.getConversation()), summary);
    }

    /** Key of a dead letter in the list of dead letters. */
    public static Bytes listed(DeadLetterSummary letter) {
        return DeadLetterView.time(letter);
    }

    /** A message, its input position and its agents. */
    public void put(AuditRecord record) {
        store.put(message(record), topics.audit().write(record));
        putIndexes(record);
    }

    /** Key of a message. */
    public static Bytes message(AuditRecord record) {
        return MessageView.key(record.getChain(), record.getSequence());
    }

    /** The input position, the agents and the changed definition of a message, or the approval that it records. */
    public void putIndexes(AuditRecord record) {
        put(InputPosition.of(record.getSource()), new ChainPosition(record.getChain(), record.getSequence()));
        AgentView.put(record, AuditView.conversation(record), store);
        if (Redactions.isApprovable(record)) {
            store.put(ApprovalView.unapproved(record), message(record).get());
        }
        Redaction approval = record.getRedaction();
        if (approval != null && approval.getApproves()) {
            store.put(
                    ApprovalView.approved(approval.getChain(), approval.getSequence()),
                    ViewValues.number(record.getSequence()));
        }
    }

    /** A position whose message is missing. */
    public void put(InputPosition position, ChainPosition found) {
        store.put(MessageView.source(position), found.toBytes());
    }

    /** A chain whose first messages are missing. */
    public void put(String chain, StateSource.Beginning beginning) {
        ChainStart start =
                new ChainStart(beginning.first(), beginning.prunedAt().orElse(null));
        store.put(MessageView.chainStart(chain), MessageView.CHAIN_START_VALUE.encode(start));
    }

    /** @param isPrivate whether only callers who see private messages may see the claim */
    public void put(ClaimedRecord claim, boolean isPrivate) {
        ClaimView.put(isPrivate, claim, store::put);
    }

    public void put(Checkpoint checkpoint) {
        new CheckpointView.Writer(topics.checkpoint())
                .write(record("", topics.checkpoint().write(checkpoint)), store, chain -> {});
    }

    /** Makes a checkpoint a branch head or not, whatever its children are. */
    public void putHead(Checkpoint checkpoint, boolean isHead) {
        String id = checkpoint.getId();
        store.put(
                CheckpointView.head(checkpoint.getNamespace(), checkpoint.getContext(), id),
                isHead ? id.getBytes(StandardCharsets.UTF_8) : null);
    }

    public void put(DeadLetterSummary letter) {
        DeadLetterView.put(letter, store);
    }

    /** @param row key of the row */
    public void put(String row, OpenItem item) {
        new OpenItemView.Writer(topics.openItem())
                .write(record(row, topics.openItem().write(item)), store, chain -> {});
    }

    public void put(ParkedItem item) {
        new ParkedItemView.Writer(topics.parkedItem())
                .write(
                        record(
                                "|" + InputPosition.of(item.getSource()),
                                topics.parkedItem().write(item)),
                        store,
                        chain -> {});
    }

    public void put(Redaction redaction) {
        store.put(
                RedactionView.key(
                        InputPosition.of(redaction.getSource()),
                        redaction.getRecordHash(),
                        redaction.getChain(),
                        redaction.getSequence()),
                topics.redaction().write(redaction));
    }

    public void put(AuditHead head) {
        store.put(LogView.headKey(head.getPartition()), topics.auditHead().write(head));
    }

    public void put(AuditTile tile) {
        store.put(
                LogView.tileKey(tile.getPartition(), tile.getLevel(), tile.getIndex()),
                topics.auditTile().write(tile));
    }

    /** @param key key of the row */
    @SuppressWarnings("unchecked")
    public void put(Statistic statistic, String key, SpecificRecord row) {
        StatisticRow read = new StatisticRow(row);
        store.put(
                StatisticView.key(statistic, read.start(), key),
                ((Topic<String, SpecificRecord>) statistic.topic(topics)).write(row));
    }

    private static Record<byte[], byte[]> record(String key, byte[] value) {
        return new Record<>(key.getBytes(StandardCharsets.UTF_8), value, 0);
    }
}
