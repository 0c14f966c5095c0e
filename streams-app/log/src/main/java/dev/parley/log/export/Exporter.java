package dev.parley.log.export;

import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ExportEnd;
import dev.parley.avro.ExportEntry;
import dev.parley.avro.ExportStart;
import dev.parley.avro.OmittedRecords;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** Creates the entries of an export: its description, notes, omitted records, audit records, and the totals. */
public final class Exporter {
    public static final int VERSION = 1;

    private final ExportWriter writer;
    private final Set<String> chains = new HashSet<>();
    private long records;
    private long omitted;
    private long notes;

    /**
     * Numbers of exported items.
     *
     * @param records audit records
     * @param omitted hashes that stand for omitted records
     */
    public record Written(long records, long chains, long omitted, long notes) {}

    /** Creates an exporter to a writer. */
    public Exporter(ExportWriter writer) {
        this.writer = writer;
    }

    /** Writes the first entry. */
    public void begin(ExportStart start) throws IOException {
        write(entry -> entry.setStart(start));
    }

    /** Writes a note; before all omitted records. */
    public void note(AuditHead note) throws IOException {
        write(entry -> entry.setNote(note));
        notes++;
    }

    /** Writes the hash of omitted records; before all records. */
    public void omitted(OmittedRecords subtree) throws IOException {
        write(entry -> entry.setOmitted(subtree));
        omitted++;
    }

    /** Writes an audit record; those of a chain in order. */
    public void record(AuditRecord auditRecord) throws IOException {
        write(entry -> entry.setRecord(auditRecord));
        chains.add(auditRecord.getChain());
        records++;
    }

    /** Writes the last entry. */
    public Written end() throws IOException {
        write(entry -> entry.setEnd(new ExportEnd(records, omitted, notes)));
        return new Written(records, chains.size(), omitted, notes);
    }

    private void write(Consumer<ExportEntry> content) throws IOException {
        ExportEntry entry = new ExportEntry();
        content.accept(entry);
        writer.write(entry);
    }
}
