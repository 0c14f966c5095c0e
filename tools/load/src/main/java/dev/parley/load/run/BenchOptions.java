package dev.parley.load.run;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Option;

/** Options of all runs that start Parley. */
final class BenchOptions {
    @Option(
            names = "--jar",
            required = true,
            description = "A parley.jar next to its libraries; repeat it to compare another build in throughput.")
    List<Path> jars;

    @Option(names = "--directory", required = true, description = "New directory for topics, stores and results.")
    Path directory;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "Configuration of Parley; repeatable.")
    Map<String, String> config = new LinkedHashMap<>();

    @Option(
            names = "--jvm",
            paramLabel = "OPTION",
            description = "JVM option of the measured processes; repeatable.",
            defaultValue = "-Xmx1g")
    List<String> jvm;

    @Option(names = "--profile", description = "Directory for a JFR recording of each measured process.")
    Path profile;

    /** Prints progress. */
    static void progress(String run, String figures, Object... values) {
        System.err.println(run + ": " + String.format(Locale.ROOT, figures, values));
    }
}
