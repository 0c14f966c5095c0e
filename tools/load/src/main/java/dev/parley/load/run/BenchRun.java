package dev.parley.load.run;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Option;

/** A command that starts Parley next to a broker. Its exit status is 1 if a check or a required figure fails. */
abstract class BenchRun implements Callable<Integer> {
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

    @Override
    public final Integer call() throws Exception {
        try (Bench bench = new Bench(this)) {
            return run(bench) ? 0 : 1;
        }
    }

    /** Returns broker settings that override the defaults. */
    Map<String, String> broker() {
        return Map.of();
    }

    /**
     * Runs on an empty broker.
     *
     * @return whether every check passed
     */
    abstract boolean run(Bench bench) throws Exception;

    /** Prints progress. */
    static void progress(String run, String figures, Object... values) {
        System.err.println(run + ": " + String.format(Locale.ROOT, figures, values));
    }
}
