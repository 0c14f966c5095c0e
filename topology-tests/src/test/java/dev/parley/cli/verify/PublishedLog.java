package dev.parley.cli.verify;

import dev.parley.audit.AuditChain;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Profile;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.checkpoint.MemoryStore;
import dev.parley.log.AuditLog;
import dev.parley.log.LogNotes;
import dev.parley.log.SignedHeads;
import dev.parley.log.tlog.NoteSigner;
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

    /**
     * Appends the next record of a chain, an accepted one.
     *
     * @param before the previous record of the chain; null for the first
     */
    public AuditRecord append(String chain, AuditRecord before, Source source, String raw) {
        AuditRecord link = new AuditRecord();
        link.setAllowed(List.of());
        link.setChain(chain);
        link.setSequence(before == null ? 0L : before.getSequence() + 1);
        link.setPreviousHash(before == null ? AuditChain.genesis() : before.getHash());
        link.setSource(source);
        link.setRaw(ByteBuffer.wrap(raw.getBytes(StandardCharsets.UTF_8)));
        link.setVerdict(Verdict.ACCEPTED.name());
        link.setStage(Stage.NONE.name());
        link.setWarnings(List.of());
        link.setInnerMessages(List.of());
        link.setProfile(Profile.LENIENT.name());
        link.setPayloadHash(new AuditChain().payloadHash(link.getRaw()));
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

    /** The statement of one partition, which lists the log as it is. */
    public AuditHead statement(Instant time) {
        SignedHeads heads = new SignedHeads(notes);
        heads.add(head(time), time.toEpochMilli());
        return notes.statement(1, heads.heads(), time);
    }

    /** The record of a note. */
    public ProducerRecord<byte[], byte[]> record(AuditHead note) {
        return new ProducerRecord<>(
                topics.names().auditHead(),
                0,
                note.getOrigin().getBytes(StandardCharsets.UTF_8),
                topics.auditHead().write(note));
    }

    /** The tiles, the head, and the statement that lists it. */
    public List<ProducerRecord<byte[], byte[]>> publish(Instant time) {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        AuditLog.publishCompleted(0, store, tile -> records.add(tile(tile)));
        log.publishEdge(tile -> records.add(tile(tile)));
        records.add(record(head(time)));
        records.add(record(statement(time)));
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
