package dev.parley.cli.verify;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.ExportScope;
import dev.parley.avro.ExportStart;
import dev.parley.log.export.ExportFormat;
import dev.parley.log.export.ExportWriter;
import dev.parley.log.export.Exporter;
import dev.parley.log.export.RecordedRedactions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.List;

/** Exports of audit records, without a broker. */
public final class Exports {
    private Exports() {}

    /** The bytes of an export of everything. */
    public static byte[] of(List<AuditRecord> audit) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RecordedRedactions redactions = new RecordedRedactions();
        audit.forEach(redactions::add);
        try (ExportWriter writer = ExportFormat.JSONL.to(out)) {
            Exporter exporter = new Exporter(writer);
            exporter.begin(new ExportStart(1, Instant.EPOCH, ExportScope.EVERYTHING, null, null, null));
            for (AuditRecord link : audit) {
                exporter.record(redactions.redacted(link));
            }
            exporter.end();
        }
        return out.toByteArray();
    }
}
