package dev.parley.trail;

import dev.parley.audit.Redactions;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.ExportChain;
import dev.parley.avro.ExportEnd;
import dev.parley.avro.ExportEntry;
import dev.parley.avro.ExportScope;
import dev.parley.avro.ExportStart;
import dev.parley.avro.Redaction;
import dev.parley.avro.Source;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Makes the entries of an export: each record, behind it the published head that names it, and at the end what must have come before. */
public final class Exporter {
    /** The form that is written. */
    static final int VERSION = 1;

    private final ExportWriter writer;
    private final Map<String, AuditHead> heads;
    private final Map<Source, Redaction> redactions;
    private final Map<String, ExportChain> chains = new TreeMap<>();
    private ExportScope scope = ExportScope.UNSPECIFIED;
    private long records;
    private long written;

    /**
     * What was written.
     *
     * @param records audit records
     * @param chains chains
     * @param heads published heads
     */
    public record Written(long records, long chains, long heads) {}

    /**
     * An exporter.
     *
     * @param writer takes the entries
     * @param heads the published heads, by chain
     * @param redactions what is redacted, by input record
     */
    Exporter(ExportWriter writer, Map<String, AuditHead> heads, Map<Source, Redaction> redactions) {
        this.writer = writer;
        this.heads = new HashMap<>(heads);
        this.redactions = redactions;
    }

    /** Writes the first entry. */
    void begin(ExportStart start) throws IOException {
        scope = start.getScope();
        ExportEntry entry = new ExportEntry();
        entry.setStart(start);
        writer.write(entry);
    }

    /** Writes a record; those of a chain in order. */
    void record(AuditRecord link) throws IOException {
        Redaction redaction = redactions.get(Redactions.withoutClaim(link.getSource()));
        ExportEntry entry = new ExportEntry();
        entry.setRecord(
                redaction != null && Redactions.concerns(redaction, link) ? Redactions.redact(link, redaction) : link);
        writer.write(entry);
        records++;
        ExportChain chain = chains.computeIfAbsent(
                link.getChain(), name -> new ExportChain(name, link.getSequence(), link.getSequence(), link.getHash()));
        chain.setLast(link.getSequence());
        chain.setLastHash(link.getHash());
        AuditHead head = heads.get(link.getChain());
        if (head != null && head.getSequence() == link.getSequence()) {
            heads.remove(link.getChain());
            write(head);
        }
    }

    /** Writes what stands behind the records. */
    Written end() throws IOException {
        if (scope != ExportScope.TIME_RANGE) {
            // A head that names a record which is not there: the topic itself has lost it, and the export must show
            // that.
            for (AuditHead head : heads.values()) {
                ExportChain chain = chains.get(head.getChain());
                if (chain == null || head.getSequence() > chain.getLast()) {
                    write(head);
                }
            }
        }
        for (ExportChain chain : chains.values()) {
            ExportEntry entry = new ExportEntry();
            entry.setChain(chain);
            writer.write(entry);
        }
        ExportEntry entry = new ExportEntry();
        entry.setEnd(new ExportEnd(records, (long) chains.size(), written));
        writer.write(entry);
        return new Written(records, chains.size(), written);
    }

    private void write(AuditHead head) throws IOException {
        ExportEntry entry = new ExportEntry();
        entry.setHead(head);
        writer.write(entry);
        written++;
    }
}
