package dev.parley.benchmarks.speed;

import dev.parley.benchmarks.speed.Measured.Spread;
import dev.parley.embedded.SchemaRegistryEndpoint;
import dev.parley.load.sample.Traffic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures the time and the CPU from the start of a process until Parley is ready, and until the demo reports. */
@Command(
        name = "start",
        mixinStandardHelpOptions = true,
        description = "Measures parley run until it is ready, and parley demo until its report.")
final class Start implements Callable<Integer> {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final String READY = "parley: ready";
    private static final String FIRST = "parley run, which creates its topics";
    private static final String AGAIN = "parley run with its topics";
    private static final String DEMO = "parley demo --exit";
    /** The last line of the report. */
    private static final String BALANCED = ": balanced";

    @Mixin
    private BenchOptions options;

    @Option(names = "--parley", required = true, description = "The command parley with the demo.")
    private Path parley;

    /** Duration and CPU of a start, in seconds. */
    private record Cost(double seconds, double cpuSeconds) {}

    @Override
    public Integer call() throws Exception {
        Map<String, List<Cost>> costs = new LinkedHashMap<>();
        try (Bench bench = new Bench(options)) {
            for (int round = 0; round < options.rounds; round++) {
                bench.createInput(Traffic.SLIP.over(1));
                String run = "start-" + round;
                try (SchemaRegistryEndpoint registry =
                        SchemaRegistryEndpoint.start(options.directory.resolve(run + "-registry"), 0)) {
                    Map<String, String> config = new HashMap<>(bench.parleyConfig(registry));
                    config.put("application.id", run);
                    config.put("state.dir", options.directory.resolve(run).toString());
                    config.putAll(options.config);
                    for (String title : List.of(FIRST, AGAIN)) {
                        String name = run + (title.equals(FIRST) ? "-first" : "-again");
                        long begin = System.nanoTime();
                        Process process = bench.process(name, Bench.parleyCommand(options.jars.get(0), config));
                        add(costs, title, await(process, begin, bench.log(name), READY));
                    }
                }
            }
        }
        Path log = options.directory.resolve("demo.log");
        for (int round = 0; round < options.rounds; round++) {
            long begin = System.nanoTime();
            Process process = new ProcessBuilder(parley.toString(), "demo", "--exit")
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            add(costs, DEMO, await(process, begin, log, BALANCED));
        }
        options.publish("speed start", table(costs));
        return 0;
    }

    /** Waits for a line, and then ends the process. */
    private static Cost await(Process process, long begin, Path log, String line)
            throws IOException, InterruptedException {
        try {
            // The process may write the line just before it ends.
            boolean alive = true;
            while (!Files.readString(log).contains(line)) {
                if (!alive || System.nanoTime() - begin > TIMEOUT.toNanos()) {
                    throw new IllegalStateException("No line with '" + line + "' in " + log);
                }
                alive = process.isAlive();
                TimeUnit.MILLISECONDS.sleep(20);
            }
            return new Cost(
                    (System.nanoTime() - begin) / 1e9,
                    process.info().totalCpuDuration().map(Duration::toMillis).orElse(0L) / 1e3);
        } finally {
            process.destroy();
            if (!process.waitFor(1, TimeUnit.MINUTES)) {
                process.destroyForcibly();
            }
        }
    }

    private static void add(Map<String, List<Cost>> costs, String title, Cost cost) {
        costs.computeIfAbsent(title, any -> new ArrayList<>()).add(cost);
        System.err.printf(Locale.ROOT, "speed: %s: %s%n", title, cost);
    }

    private String table(Map<String, List<Cost>> costs) {
        StringBuilder table = new StringBuilder(String.format(
                Locale.ROOT,
                "Rounds: %d, medians (lowest to highest).%n%n| from the start of the process | until | s | CPU, s |%n"
                        + "|---|---|---|---|%n",
                options.rounds));
        costs.forEach((title, all) -> table.append(String.format(
                Locale.ROOT,
                "| %s | %s | %s | %s |%n",
                title,
                title.equals(DEMO) ? "its report" : "ready",
                Spread.of(all, Cost::seconds).cell(1),
                Spread.of(all, Cost::cpuSeconds).cell(1))));
        return table.toString();
    }
}
