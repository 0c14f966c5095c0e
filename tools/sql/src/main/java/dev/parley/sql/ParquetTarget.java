package dev.parley.sql;

import dev.parley.avro.ExportEntry;
import dev.parley.cli.SqlEngine.Limits;
import dev.parley.log.export.ExportTarget;
import dev.parley.log.export.ExportWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.stream.Collectors;

/**
 * Writes the audit records of an export as a Parquet file with the columns of the table {@code audit}. Times are
 * adjusted to UTC; readers take others for local times.
 */
record ParquetTarget(Limits limits) implements ExportTarget {
    private static final String COLUMNS = Tables.AUDIT_COLUMNS.stream()
            .map(column -> column.type().equals("TIMESTAMP")
                    ? column.quotedName() + "::TIMESTAMPTZ AS " + column.quotedName()
                    : column.quotedName())
            .collect(Collectors.joining(", "));

    @Override
    public ExportWriter to(OutputStream out) throws IOException {
        try {
            Database database = Database.open(limits);
            try {
                database.execute(Tables.createTable(Tables.AUDIT, Tables.AUDIT_COLUMNS));
                return new Writer(database, out);
            } catch (IOException | SQLException e) {
                database.close();
                throw e;
            }
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private static IOException failed(SQLException cause) {
        return new IOException("cannot write the Parquet file: " + cause.getMessage(), cause);
    }

    /** Collects the records in a table; Parquet begins with none of them complete. */
    private static final class Writer implements ExportWriter {
        private final Database database;
        private final OutputStream out;
        private final AuditWriter rows;
        private boolean complete;

        Writer(Database database, OutputStream out) throws IOException {
            this.database = database;
            this.out = out;
            this.rows = new AuditWriter(database);
        }

        @Override
        public void write(ExportEntry entry) throws IOException {
            rows.write(entry);
            complete |= entry.getEnd() != null;
        }

        /** Writes the file, unless the export has failed. */
        @Override
        public void close() throws IOException {
            try (out;
                    database) {
                rows.close();
                if (complete) {
                    Path file = database.file("audit.parquet");
                    database.execute("COPY (SELECT " + COLUMNS + " FROM audit) TO " + Database.literal(file)
                            + " (FORMAT parquet, COMPRESSION zstd)");
                    Files.copy(file, out);
                }
            } catch (SQLException e) {
                throw failed(e);
            }
        }
    }
}
