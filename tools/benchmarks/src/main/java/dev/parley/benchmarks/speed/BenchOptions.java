package dev.parley.benchmarks.speed;

import dev.parley.load.process.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** Options that all parts of the harness share. */
final class BenchOptions {
    @Option(
            names = "--jar",
            required = true,
            description = "A parley.jar next to its libraries; repeat it to compare another build in throughput.")
    List<Path> jars;

    @Option(names = "--directory", required = true, description = "New directory for topics, stores and results.")
    Path directory;

    @Option(names = "--docs", required = true, description = "Directory of the pages that receive the tables.")
    Path docs;

    @Option(names = "--write", description = "Also writes the tables into the pages.")
    boolean write;

    @Option(names = "--rounds", defaultValue = "3", description = "Number of rounds (default: ${DEFAULT-VALUE}).")
    int rounds;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "Configuration of Parley; repeatable.")
    Map<String, String> config = new LinkedHashMap<>();

    @Option(
            names = "--jvm",
            paramLabel = "OPTION",
            description = "JVM option of the measured processes; repeatable (default: ${DEFAULT-VALUE}).",
            defaultValue = "-Xmx1g")
    List<String> jvm;

    @Option(names = "--profile", description = "Directory for a JFR recording of each measured process.")
    Path profile;

    /**
     * Prints a table, keeps it in the directory, and with --write writes it to its section of benchmarks.md.
     *
     * @param command the command after {@code benchmarks/}, for example {@code speed latency}
     */
    void publish(String command, String table) throws IOException {
        System.out.print(table);
        Files.writeString(directory.resolve(command.replace(' ', '-') + ".md"), table);
        if (write) {
            Page.write(docs.resolve("benchmarks.md"), "benchmarks/" + command, table);
        }
    }
}
