package dev.parley.cli.export;

import dev.parley.audit.Redactions;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditManifest;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ExportChain;
import dev.parley.avro.ExportEnd;
import dev.parley.avro.ExportEntry;
import dev.parley.avro.ExportScope;
import dev.parley.avro.ExportStart;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Creates the entries of an export: each audit record followed by the published chain head that names it, and a last
 * entry with the totals.
 */
public final class Exporter {
    public static final int VERSION = 1;

    private final ExportWriter writer;
    private final Map<String, AuditHead> heads;
    private final RecordedRedactions redactions;
    private final Map<String, ExportChain> chains = new TreeMap<>();
    private ExportScope scope = ExportScope.UNSPECIFIED;
    private long records;
    private long written;
    private long manifests;

    /**
     * Numbers of exported items.
     *
     * @param records audit records
     * @param heads published chain heads
     * @param manifests manifests of journals
     */
    public record Written(long records, long chains, long heads, long manifests) {}

    /**
     * Creates an exporter.
     *
     * @param writer destination of the entries
     * @param heads the published heads, by chain
     */
    public Exporter(ExportWriter writer, Map<String, AuditHead> heads, RecordedRedactions redactions) {
        this.writer = writer;
        this.heads = new HashMap<>(heads);
        this.redactions = redactions;
    }

    /** Writes the first entry. */
    public void begin(ExportStart start) throws IOException {
        scope = start.getScope();
        write(entry -> entry.setStart(start));
    }

    /** Writes a manifest; before all records. */
    public void manifest(AuditManifest manifest) throws IOException {
        write(entry -> entry.setManifest(manifest));
        manifests++;
    }

    /** Writes an audit record; those of a chain in order. */
    public void record(AuditRecord auditRecord) throws IOException {
        write(entry -> entry.setRecord(redactions
                .of(auditRecord)
                .map(redaction -> Redactions.redact(auditRecord, redaction))
                .orElse(auditRecord)));
        records++;
        ExportChain chain = chains.computeIfAbsent(
                auditRecord.getChain(),
                name -> new ExportChain(
                        name, auditRecord.getSequence(), auditRecord.getSequence(), auditRecord.getHash()));
        chain.setLast(auditRecord.getSequence());
        chain.setLastHash(auditRecord.getHash());
        AuditHead head = heads.get(auditRecord.getChain());
        if (head != null && head.getSequence() == auditRecord.getSequence()) {
            heads.remove(auditRecord.getChain());
            write(head);
        }
    }

    /** Writes the entries after the records. */
    public Written end() throws IOException {
        if (scope != ExportScope.TIME_RANGE) {
            // The topic has lost the record that this head names; the export must show that.
            for (AuditHead head : heads.values()) {
                ExportChain chain = chains.get(head.getChain());
                if (chain == null || head.getSequence() > chain.getLast()) {
                    write(head);
                }
            }
        }
        for (ExportChain chain : chains.values()) {
            write(entry -> entry.setChain(chain));
        }
        write(entry -> entry.setEnd(new ExportEnd(records, (long) chains.size(), written, manifests)));
        return new Written(records, chains.size(), written, manifests);
    }

    private void write(AuditHead head) throws IOException {
        write(entry -> entry.setHead(head));
        written++;
    }

    private void write(Consumer<ExportEntry> content) throws IOException {
        ExportEntry entry = new ExportEntry();
        content.accept(entry);
        writer.write(entry);
    }
}
