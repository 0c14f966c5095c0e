package dev.parley.sql;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.ExportEntry;
import dev.parley.log.export.ExportWriter;
import java.io.IOException;

/** Appends the records of an export to the table {@code audit}. */
final class AuditWriter implements ExportWriter {
    private final Rows<AuditRecord> rows;

    AuditWriter(Database database) throws IOException {
        rows = new Rows<>(database, Tables.AUDIT, Tables.AUDIT_COLUMNS);
    }

    @Override
    public void write(ExportEntry entry) throws IOException {
        if (entry.getRecord() != null) {
            rows.add(entry.getRecord());
        }
    }

    @Override
    public void close() throws IOException {
        rows.close();
    }
}
