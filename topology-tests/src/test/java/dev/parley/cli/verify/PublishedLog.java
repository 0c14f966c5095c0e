package dev.parley.cli.verify;

import dev.parley.audit.AuditChain;
import dev.parley.audit.AuditLog;
import dev.parley.audit.LogNotes;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.checkpoint.MemoryStore;
import dev.parley.tlog.NoteSigner;
import dev.parley.topology.topics.Topics;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/** The log of one task, as the pipeline publishes it to topics. */
public final class PublishedLog {
    private final MemoryStore<byte[]> store = new MemoryStore<>();
    private final AuditLog log = new AuditLog(0, store);
    private final LogNotes notes;
    private final Topics topics;

    /** Creates an empty log, whose notes the given keys sign. */
    public PublishedLog(String origin, List<NoteSigner> signers, Topics topics) {
        this.notes = new LogNotes(origin, signers);
        this.topics = topics;
    }

    /** Completes a record as the next one of the log. */
    public AuditRecord append(AuditRecord link) {
        link.setLog(log.next());
        link.setRules("1");
        link.setSalt(ByteBuffer.allocate(AuditChain.SALT_BYTES));
        new AuditChain().seal(link);
        log.append(link.getHash());
        return link;
    }

    /** The head of the log as it is. */
    public AuditHead head(Instant time) {
        return notes.head(0, AuditLog.size(store), log.root(), time);
    }

    /** The record of a note. */
    public ProducerRecord<byte[], byte[]> record(AuditHead note) {
        return new ProducerRecord<>(
                topics.names().auditHead(),
                0,
                note.getOrigin().getBytes(StandardCharsets.UTF_8),
                topics.auditHead().write(note));
    }

    /** The tiles, the statement of one partition, and the head. */
    public List<ProducerRecord<byte[], byte[]>> publish(Instant time) {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        AuditLog.publishCompleted(0, store, tile -> records.add(tile(tile)));
        log.publishEdge(tile -> records.add(tile(tile)));
        records.add(record(notes.statement(1, time)));
        records.add(record(head(time)));
        return records;
    }

    private ProducerRecord<byte[], byte[]> tile(dev.parley.avro.AuditTile tile) {
        String key = tile.getPartition() + "/" + tile.getLevel() + "/" + tile.getIndex();
        return new ProducerRecord<>(
                topics.names().auditTile(),
                0,
                key.getBytes(StandardCharsets.UTF_8),
                topics.auditTile().write(tile));
    }
}
