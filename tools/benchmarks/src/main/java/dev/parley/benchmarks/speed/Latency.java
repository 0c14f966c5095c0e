package dev.parley.benchmarks.speed;

import dev.parley.benchmarks.speed.Bench.Running;
import dev.parley.benchmarks.speed.Measured.Spread;
import dev.parley.load.process.Latencies.Summary;
import dev.parley.load.sample.Input;
import dev.parley.load.sample.Traffic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures the latency of the shape and of Parley at the same rate, from a cold start. */
@Command(
        name = "latency",
        mixinStandardHelpOptions = true,
        description = "Measures the time from the append of a message to the visibility of its audit record.")
final class Latency implements Callable<Integer> {
    private static final int CONVERSATIONS = 10_000;
    private static final long MESSAGES = 300_000;
    private static final List<Contender> CONTENDERS = List.of(Contender.SHAPE, Contender.PARLEY);

    @Mixin
    private BenchOptions options;

    @Option(
            names = "--rate",
            description = "Messages per second (default: half of Parley's throughput, measured first).")
    private Double rate;

    @Option(
            names = "--seconds",
            defaultValue = "180",
            description = "Duration of a run. Its first third is the start, its last third is warm "
                    + "(default: ${DEFAULT-VALUE}).")
    private long seconds;

    @Override
    public Integer call() throws Exception {
        Map<Contender, List<LatencyRun>> runs = new EnumMap<>(Contender.class);
        try (Bench bench = new Bench(options)) {
            double perSecond = rate == null ? halfThroughput(bench, options) : rate;
            // The broker, the feed and the reader run in this process. Their compilation slows down the first run of
            // each system, so an earlier one does not count.
            for (Contender contender : CONTENDERS) {
                run(bench, contender, perSecond, seconds / 3);
            }
            for (int round = 0; round < options.rounds; round++) {
                for (Contender contender : CONTENDERS) {
                    runs.computeIfAbsent(contender, any -> new ArrayList<>())
                            .add(run(bench, contender, perSecond, seconds));
                }
            }
            options.publish("speed latency", table(runs, perSecond));
        }
        return 0;
    }

    private LatencyRun run(Bench bench, Contender contender, double perSecond, long duration) throws Exception {
        return LatencyRun.of(
                bench,
                contender,
                options.jars.get(0),
                Traffic.SLIP.over(CONVERSATIONS),
                perSecond,
                Duration.ofSeconds(duration),
                null);
    }

    /** Measures half of Parley's throughput. */
    static double halfThroughput(Bench bench, BenchOptions options) throws Exception {
        Input input = Traffic.SLIP.over(CONVERSATIONS);
        bench.produce(input, MESSAGES);
        try (Running running = bench.start(Contender.PARLEY, options.jars.get(0), input.topic(), 1, Sizes.SMALL)) {
            return running.measure(MESSAGES / 4, MESSAGES).report("throughput").perSecond() / 2;
        }
    }

    private String table(Map<Contender, List<LatencyRun>> runs, double perSecond) {
        StringBuilder table = new StringBuilder(String.format(
                Locale.ROOT,
                "%,.0f nSLIP messages/s, %d s, rounds: %d, medians (lowest to highest), in milliseconds.%n%n"
                        + "| system | first %d s: median | 99 %% | last %d s: median | 99 %% |%n|---|---|---|---|---|%n",
                perSecond,
                seconds,
                options.rounds,
                seconds / 3,
                seconds / 3));
        runs.forEach((contender, all) -> table.append(String.format(
                Locale.ROOT,
                "| %s | %s | %s | %s | %s |%n",
                contender.title(),
                cell(all, LatencyRun::start, Summary::median),
                cell(all, LatencyRun::start, Summary::p99),
                cell(all, LatencyRun::warm, Summary::median),
                cell(all, LatencyRun::warm, Summary::p99))));
        double start = ratio(runs, LatencyRun::start);
        double warm = ratio(runs, LatencyRun::warm);
        return table.append(String.format(Locale.ROOT, "| Parley, times the shape | | %.2f | | %.2f |%n", start, warm))
                .toString();
    }

    private static double ratio(Map<Contender, List<LatencyRun>> runs, Function<LatencyRun, Summary> phase) {
        return p99(runs.get(Contender.PARLEY), phase) / p99(runs.get(Contender.SHAPE), phase);
    }

    private static double p99(List<LatencyRun> runs, Function<LatencyRun, Summary> phase) {
        return Spread.of(runs, run -> phase.apply(run).p99()).median();
    }

    private static String cell(
            List<LatencyRun> runs, Function<LatencyRun, Summary> phase, ToDoubleFunction<Summary> measure) {
        return Spread.of(runs, run -> measure.applyAsDouble(phase.apply(run))).cell(0);
    }
}
