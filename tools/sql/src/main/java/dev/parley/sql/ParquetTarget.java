package dev.parley.sql;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.ExportEntry;
import dev.parley.cli.SqlEngine.Limits;
import dev.parley.cli.export.ExportTarget;
import dev.parley.cli.export.ExportWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;

/** Writes the audit records of an export as a Parquet file with the columns of the table {@code audit}. */
final class ParquetTarget implements ExportTarget {
    private final Limits limits;

    ParquetTarget(Limits limits) {
        this.limits = limits;
    }

    @Override
    public ExportWriter to(OutputStream out) throws IOException {
        Database database = open();
        try {
            database.execute(Tables.createTable(Tables.AUDIT, Tables.AUDIT_COLUMNS));
            return new Writer(database, out);
        } catch (SQLException e) {
            close(database);
            throw new IOException("cannot create the Parquet file: " + e.getMessage(), e);
        }
    }

    private Database open() throws IOException {
        try {
            return Database.open(limits);
        } catch (SQLException e) {
            throw new IOException("cannot start the SQL engine: " + e.getMessage(), e);
        }
    }

    private static void close(Database database) throws IOException {
        try {
            database.close();
        } catch (SQLException e) {
            throw new IOException("cannot close the temporary tables: " + e.getMessage(), e);
        }
    }

    /** Collects the records in a table; Parquet begins with none of them complete. */
    private static final class Writer implements ExportWriter {
        private final Database database;
        private final OutputStream out;
        private final Rows<AuditRecord> rows;
        private boolean complete;

        Writer(Database database, OutputStream out) throws SQLException {
            this.database = database;
            this.out = out;
            this.rows = new Rows<>(database.connection(), Tables.AUDIT, Tables.AUDIT_COLUMNS);
        }

        @Override
        public void write(ExportEntry entry) throws IOException {
            if (entry.getRecord() != null) {
                try {
                    rows.add(entry.getRecord());
                } catch (SQLException e) {
                    throw new IOException("cannot write the Parquet file: " + e.getMessage(), e);
                }
            }
            complete |= entry.getEnd() != null;
        }

        /** Writes the file, unless the export has failed. */
        @Override
        public void close() throws IOException {
            try (out) {
                rows.close();
                if (complete) {
                    Path file = database.file("audit.parquet");
                    database.execute("COPY audit TO " + Database.literal(file) + " (FORMAT parquet, COMPRESSION zstd)");
                    Files.copy(file, out);
                }
            } catch (SQLException e) {
                throw new IOException("cannot write the Parquet file: " + e.getMessage(), e);
            } finally {
                ParquetTarget.close(database);
            }
        }
    }
}
