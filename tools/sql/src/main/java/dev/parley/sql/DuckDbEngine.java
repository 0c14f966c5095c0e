package dev.parley.sql;

import dev.parley.audit.InputPartition;
import dev.parley.cli.SqlEngine;
import dev.parley.cli.export.FaultPrinter;
import dev.parley.cli.export.TopicExport;
import dev.parley.cli.io.ErrorMessages;
import dev.parley.cli.io.OutputOptions;
import dev.parley.cli.io.Progress;
import dev.parley.codec.ControlCharacters;
import dev.parley.log.FaultCode;
import dev.parley.log.LogNoteReader;
import dev.parley.log.RecordLocation;
import dev.parley.log.export.ExportFile;
import dev.parley.log.export.ExportTarget;
import dev.parley.log.export.ProgressListener;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.serde.UnreadableRecordException;
import dev.parley.sql.QueryPlan.InvalidQueryException;
import dev.parley.sql.Tables.TopicRow;
import dev.parley.sql.Tables.TopicTable;
import dev.parley.sql.Tables.View;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.kafka.TopicReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Deserializer;

/** The SQL engine: reads the tables of a query into a temporary DuckDB database, locks it, and runs the query. */
public final class DuckDbEngine implements SqlEngine {
    private static final int FAILED = 1;
    private static final int INVALID = 2;
    private static final byte[] PARQUET = "PAR1".getBytes(StandardCharsets.US_ASCII);
    private static final Limits PARQUET_LIMITS =
            new Limits(1_024, 20_480, Runtime.getRuntime().availableProcessors());

    /** The key of a compacted topic's record, while the table is filled. */
    private static final Column<TopicRow> KEY =
            new Column<>("recordKey", "BLOB", row -> row.record().key());

    @Override
    public ExportTarget parquet() {
        return new ParquetTarget(PARQUET_LIMITS);
    }

    @Override
    public int run(Query query, OutputOptions output, PrintWriter err) throws IOException {
        try (Database database = Database.open(query.limits())) {
            boolean parquet = isParquet(query);
            createTables(query, parquet, database);
            database.lock();
            QueryPlan plan = QueryPlan.of(query.sql(), database);
            boolean whole = parquet || load(query, plan.tables(), database, err);
            ResultPrinter.print(query.sql(), database, output);
            return whole ? 0 : FAILED;
        } catch (InvalidQueryException e) {
            err.println("parley sql: " + ControlCharacters.escape(e.getMessage()));
            return INVALID;
        } catch (SQLException e) {
            boolean exceeded = ErrorMessages.firstLine(e).startsWith("Out of Memory Error");
            // Later lines of that error advise statements that are denied here.
            String message = exceeded
                    ? ErrorMessages.firstLine(e)
                    : String.valueOf(e.getMessage()).strip();
            err.println("parley sql: " + ControlCharacters.escapeLines(message)
                    + remedy(message, exceeded, query.file().isPresent()));
            return exceeded ? FAILED : INVALID;
        }
    }

    /**
     * Returns the remedy for DuckDB's message, which has the error, often a suggestion, and the line of the query with
     * a caret.
     */
    private static String remedy(String message, boolean exceeded, boolean export) {
        if (exceeded) {
            return "\nRaise --memory or --disk, or select less.";
        }
        if (!message.startsWith("Catalog Error: Table ")) {
            return "";
        }
        List<String> names = Tables.names(export);
        List<String> others = new ArrayList<>(Tables.names(false));
        others.removeAll(names);
        return "\nTables: " + String.join(", ", names) + "."
                + (others.isEmpty()
                        ? ""
                        : "\nOnly a deployment has: " + String.join(", ", others)
                                + ". Omit the export to read its topics.");
    }

    private static boolean isParquet(Query query) throws IOException {
        if (query.file().isEmpty()) {
            return false;
        }
        try (InputStream in = Files.newInputStream(query.file().get())) {
            return Arrays.equals(in.readNBytes(PARQUET.length), PARQUET);
        }
    }

    private static void createTables(Query query, boolean parquet, Database database) throws IOException, SQLException {
        if (parquet) {
            Path file = query.file().orElseThrow().toRealPath();
            database.allow(file);
            createParquetView(file, database);
        } else {
            database.execute(Tables.createTable(Tables.AUDIT, Tables.AUDIT_COLUMNS));
        }
        for (View view : Tables.VIEWS) {
            database.execute(Tables.createView(view.name(), view.sql()));
        }
        if (query.file().isEmpty()) {
            for (TopicTable table : Tables.TOPICS) {
                database.execute(Tables.createTable(table.name(), table.columns()));
            }
        }
    }

    private static void createParquetView(Path file, Database database) throws IOException, SQLException {
        List<String> columns = Tables.AUDIT_COLUMNS.stream()
                .map(column -> "CAST(" + column.quotedName() + " AS " + column.type() + ") AS " + column.quotedName())
                .toList();
        try {
            database.execute(Tables.createView(
                    Tables.AUDIT,
                    "SELECT " + String.join(", ", columns) + " FROM read_parquet(" + Database.literal(file) + ")"));
        } catch (SQLException e) {
            throw new IOException(
                    file + " is not an export of this version of Parley. Create one with parley export --format"
                            + " parquet. " + ErrorMessages.firstLine(e),
                    e);
        }
    }

    /** Fills the tables that the query reads; returns whether all records could be read. */
    private static boolean load(Query query, Set<String> tables, Database database, PrintWriter err)
            throws IOException, SQLException {
        try (Progress progress = Progress.of("sql")) {
            FaultPrinter listener = new FaultPrinter(err, progress);
            if (query.file().isPresent()) {
                try (AuditWriter rows = new AuditWriter(database)) {
                    ExportFile.read(query.file().get(), listener, rows::write);
                }
            } else {
                loadTopics(query, tables, database, listener);
            }
            return !listener.hasFound();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void loadTopics(Query query, Set<String> tables, Database database, ProgressListener listener)
            throws IOException, SQLException {
        TopicNames names = query.config().topics();
        Map<String, Object> clients = StreamsSettings.clientSettings(query.config());
        try (AvroSerdes serdes = AvroSerdes.fromConfig(query.config().registrySettings())) {
            if (tables.contains(Tables.AUDIT)
                    || Tables.VIEWS.stream().map(View::name).anyMatch(tables::contains)) {
                try (TopicExport export = new TopicExport(clients, names, serdes, LogNoteReader.ofAll(), listener)) {
                    export.run(
                            query.selection(),
                            Optional.empty(),
                            out -> new AuditWriter(database),
                            OutputStream.nullOutputStream(),
                            Clock.systemUTC().instant());
                }
            }
            for (TopicTable table : Tables.TOPICS) {
                if (tables.contains(table.name())) {
                    try (TopicReader reader = new TopicReader(clients)) {
                        load(table, names, reader, serdes, database, listener);
                    }
                }
            }
        }
    }

    private static void load(
            TopicTable table,
            TopicNames names,
            TopicReader reader,
            AvroSerdes serdes,
            Database database,
            ProgressListener listener)
            throws IOException, SQLException {
        Optional<Deserializer<? extends SpecificRecord>> values =
                table.type().map(type -> serdes.values(type).deserializer());
        List<Column<TopicRow>> columns = new ArrayList<>(table.columns());
        if (table.compacted()) {
            database.execute("ALTER TABLE " + table.name() + " ADD COLUMN " + KEY.declaration());
            columns.add(KEY);
        }
        try (Rows<TopicRow> rows = new Rows<>(database, table.name(), columns)) {
            reader.readRequired(table.topics().apply(names), listener::progress, record -> {
                try {
                    SpecificRecord value = values.map(each -> each.deserialize(record.topic(), record.value()))
                            .orElse(null);
                    if (value != null || values.isEmpty() || table.compacted()) {
                        rows.add(new TopicRow(record, value));
                    }
                } catch (UnreadableRecordException e) {
                    String partition = new InputPartition(record.topic(), record.partition()).toString();
                    listener.found(FaultCode.UNREADABLE.at(
                            RecordLocation.of(partition, record.offset()),
                            "the record is unreadable and not in the table"));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
        if (table.compacted()) {
            // Records with the same key are in one partition, so their order is that of the rows.
            database.execute("DELETE FROM " + table.name() + " WHERE namespace IS NULL OR rowid NOT IN (SELECT"
                    + " max(rowid) FROM " + table.name() + " GROUP BY " + KEY.name() + ")");
            database.execute("ALTER TABLE " + table.name() + " DROP COLUMN " + KEY.name());
        }
    }
}
