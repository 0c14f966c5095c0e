package dev.parley.cli;

import dev.parley.cli.SqlEngine.Limits;
import dev.parley.cli.SqlEngine.Query;
import dev.parley.cli.export.TopicExport.Selection;
import dev.parley.cli.io.ConfigCommand;
import dev.parley.cli.io.Options;
import dev.parley.cli.io.OutputOptions;
import dev.parley.cli.io.UsageException;
import dev.parley.server.ServerConfig;
import dev.parley.topology.config.ParleyConfig;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code parley sql}: one SQL query over an export or over the topics of a deployment. */
@Command(
        name = "sql",
        description = "Runs one SELECT statement over an export of the audit trail, or over the topics.",
        footer = {
            "",
            "Tables: audit, messages and definitions; without an export also checkpoints, dead_letters, and the"
                    + " analytics topics: traffic, violations, edges, turnaround, open_items, patches and"
                    + " definition_changes. SHOW TABLES lists them, DESCRIBE audit lists the columns, and"
                    + " docs/analytics.md explains both. Only the tables that the query names are read. Times are in UTC.",
            "The SQL is that of DuckDB. A query can read neither other files nor the network, and change nothing.",
            OutputOptions.HELP,
            "Exit status: 0; 1 if the data could not be read, or not all of it; 2 if the query is wrong.",
            "",
            "Examples:",
            "  parley sql 'SELECT verdict, count(*) FROM audit GROUP BY ALL' export.jsonl",
            "  parley sql 'SELECT code, count(*) FROM audit GROUP BY ALL ORDER BY 2 DESC'",
            "  parley sql 'SELECT time, sender, rawText FROM messages LIMIT 5'",
            "  parley sql 'SELECT context, count(*) FROM checkpoints GROUP BY ALL'",
            "  parley sql 'SELECT windowStart, sum(messages) FROM traffic GROUP BY ALL'",
            "  parley sql 'SELECT agent, item, since FROM open_items ORDER BY since'"
        })
final class SqlCommand extends ConfigCommand {
    private static final int MIN_MEMORY = 64;

    @Mixin
    private SelectionOptions selected;

    @Mixin
    private OutputOptions output;

    @Option(
            names = "--memory",
            paramLabel = "MB",
            defaultValue = "1024",
            description = "Maximum memory of the SQL engine in megabytes, at least " + MIN_MEMORY
                    + ". Default: ${DEFAULT-VALUE}.")
    private int memory;

    @Option(
            names = "--disk",
            paramLabel = "MB",
            defaultValue = "20480",
            description = "Maximum size of temporary files for sorting and grouping in megabytes. Default:"
                    + " ${DEFAULT-VALUE}.")
    private int disk;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Number of threads. Default: the number of processors.")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Parameters(index = "0", paramLabel = "QUERY", description = "A SELECT statement.")
    private String sql;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "FILE",
            description = "An export: JSON lines or Parquet. Default: the topics.")
    private Path file;

    @Override
    public Integer call() throws IOException {
        requireAtLeast("--memory", MIN_MEMORY, memory);
        requireAtLeast("--disk", 0, disk);
        requireAtLeast("--threads", 1, threads);
        Selection selection = selected.read();
        if (new File(sql).exists()) {
            throw new UsageException(sql + " is a file; the query comes first, then the export");
        }
        if (file != null) {
            Options.requireFile(file);
            if (!selection.equals(Selection.EVERYTHING)) {
                throw new UsageException("--chain, --from and --to select from topics; with a file, use WHERE");
            }
        }
        Optional<SqlEngine> engine = SqlEngine.find();
        if (engine.isEmpty()) {
            return failed(SqlEngine.MISSING);
        }
        // A file needs no configuration, and a wrong one must not hinder the query.
        ParleyConfig settings = file == null ? connected() : ServerConfig.of(Map.of());
        return engine.get()
                .run(
                        new Query(
                                sql, Optional.ofNullable(file), selection, settings, new Limits(memory, disk, threads)),
                        output,
                        err());
    }
}
