package dev.parley.cli;

import dev.parley.cli.export.TopicExport.Selection;
import dev.parley.cli.io.OutputOptions;
import dev.parley.log.export.ExportTarget;
import dev.parley.topology.config.ParleyConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * The engine of {@code parley sql} and of Parquet files: a service of the module sql, which the archive and the
 * container image omit because of its size.
 */
public interface SqlEngine {
    /** What to do without the engine. */
    String MISSING = "the SQL engine is not part of this installation, because it has 85 MB. Add the artifact"
            + " dev.parley:parley-sql of the same version and its dependency org.duckdb:duckdb_jdbc to the directory"
            + " lib of the archive, or run ./parley sql in a checkout of the source.";

    /** The engine of this installation; empty without the module sql. */
    static Optional<SqlEngine> find() {
        return ServiceLoader.load(SqlEngine.class).findFirst();
    }

    /** The Parquet format. A file has the columns of the table {@code audit}. */
    ExportTarget parquet();

    /**
     * Runs a query and prints its result.
     *
     * @param err for errors
     * @return exit status of the command
     * @throws IOException if the export or the temporary directory cannot be used
     */
    int run(Query query, OutputOptions output, PrintWriter err) throws IOException;

    /**
     * A query and its source.
     *
     * @param sql one SELECT statement
     * @param file an export; empty for the topics
     * @param selection audit records to read from the topics
     * @param config configuration of the deployment
     */
    record Query(String sql, Optional<Path> file, Selection selection, ParleyConfig config, Limits limits) {}

    /**
     * Limits of a query.
     *
     * @param memoryMegabytes maximum memory of the engine, in addition to the Java heap
     * @param diskMegabytes maximum size of the temporary files of operators that exceed the memory
     * @param threads maximum number of threads
     */
    record Limits(int memoryMegabytes, int diskMegabytes, int threads) {}
}
