package dev.parley.server.api;

import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.AuditTile;
import dev.parley.checkpoint.MemoryStore;
import dev.parley.log.AuditLog;
import dev.parley.log.LogNotes;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The audit log of a partition, written as the pipeline writes it. */
public final class LogOf {
    private final int partition;
    private final LogNotes notes;
    private final MemoryStore<byte[]> store = new MemoryStore<>();
    private final AuditLog log;

    /** Time of all heads, which are the same whenever they are compared. */
    private final Instant time = Instant.now();

    public LogOf(int partition, LogNotes notes) {
        this.partition = partition;
        this.notes = notes;
        this.log = new AuditLog(partition, store);
    }

    /** Gives a record the next position in the log, and seals it. */
    public AuditRecord append(AuditRecord record) {
        record.setLog(log.next());
        AuditRecord sealed = new dev.parley.audit.AuditChain().seal(record).auditRecord();
        log.append(sealed.getHash());
        return sealed;
    }

    /** Appends records that no conversation of the test contains. */
    public LogOf others(int count) {
        for (int i = 0; i < count; i++) {
            log.append(ByteBuffer.allocate(32).putLong(0, log.next().getIndex()));
        }
        return this;
    }

    /** The tiles since the last call. */
    public List<AuditTile> tiles() {
        List<AuditTile> tiles = new ArrayList<>();
        AuditLog.publishCompleted(partition, store, tiles::add);
        log.publishEdge(tiles::add);
        return tiles;
    }

    public AuditHead head() {
        return notes.head(partition, log.next().getIndex(), log.root(), time);
    }
}
