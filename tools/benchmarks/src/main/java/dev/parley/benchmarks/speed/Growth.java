package dev.parley.benchmarks.speed;

import dev.parley.benchmarks.speed.Bench.Running;
import dev.parley.benchmarks.speed.Measured.Spread;
import dev.parley.load.process.Latencies.Summary;
import dev.parley.load.sample.Input;
import dev.parley.load.sample.Traffic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures whether the cost of a message depends on what the stores and topics contain. */
@Command(
        name = "growth",
        mixinStandardHelpOptions = true,
        description = "Measures CPU per message as conversations, their memory and the audit trail grow, and latency "
                + "next to a hot conversation.")
final class Growth implements Callable<Integer> {
    /** What grows. */
    enum Dimension {
        /** Number of conversations, each with one message before the measurement. */
        CONVERSATIONS,
        /** Tasks or definitions that each of a few conversations remembers. */
        REMEMBERED,
        /** Audit records of the conversations. */
        HISTORY,
        /** Share of one conversation in the traffic. */
        HOT
    }

    private static final int FEW = 8;
    private static final int MANY = 10_000;
    private static final String HOT_CHAIN = "default|SLIP|1";

    @Mixin
    private BenchOptions options;

    @Option(
            names = "--of",
            split = ",",
            defaultValue = "conversations,remembered,history,hot",
            description = "What to measure: ${COMPLETION-CANDIDATES} (default: all). history takes 2 KB of disk per "
                    + "message.")
    private List<Dimension> dimensions;

    @Option(
            names = "--messages",
            defaultValue = "300000",
            description = "Measured messages of each run (default: ${DEFAULT-VALUE}).")
    private long messages;

    @Option(
            names = "--sizes",
            split = ",",
            description = "Sizes to measure instead of the default of each dimension; the first is the baseline.")
    private List<Long> sizes = List.of();

    @Option(
            names = "--rate",
            description = "For hot: messages per second (default: half of Parley's throughput, measured first).")
    private Double rate;

    @Option(names = "--seconds", defaultValue = "90", description = "For hot: duration of a run.")
    private long seconds;

    /** Results by column, then by size. */
    private final Map<String, Map<Long, List<Measured>>> results = new LinkedHashMap<>();

    @Override
    public Integer call() throws Exception {
        try (Bench bench = new Bench(options)) {
            for (Dimension dimension : dimensions) {
                results.clear();
                switch (dimension) {
                    case CONVERSATIONS -> conversations(bench);
                    case REMEMBERED -> remembered(bench);
                    case HISTORY -> history(bench);
                    case HOT -> hot(bench);
                }
            }
        }
        return 0;
    }

    private void conversations(Bench bench) throws Exception {
        for (long count : sizes(1_000L, 100_000L, 1_000_000L)) {
            Input input = Traffic.SLIP.over(count);
            for (Contender contender : List.of(Contender.SHAPE, Contender.PARLEY)) {
                measure(bench, contender, contender.title(), count, input, count);
            }
        }
        publish("conversations", "conversations");
    }

    private void remembered(Bench bench) throws Exception {
        for (Traffic traffic : List.of(Traffic.SLIP, Traffic.CSP, Traffic.LAMBDA)) {
            String title = switch (traffic) {
                case SLIP -> "nSLIP tasks";
                case CSP -> "CSP tasks";
                default -> "Λ definitions";
            };
            for (long count : sizes(1L, 10L, 100L, 1_000L)) {
                Input input = Traffic.remembering(traffic, count, FEW);
                measure(bench, Contender.PARLEY, title, count, input, FEW * count);
            }
        }
        publish("remembered", "remembered in one conversation");
    }

    private void history(Bench bench) throws Exception {
        for (long count : sizes(1_000_000L, 10_000_000L)) {
            measure(bench, Contender.PARLEY, Contender.PARLEY.title(), count, Traffic.SLIP.over(MANY), count);
        }
        publish("history", "audit records before");
    }

    private List<Long> sizes(Long... defaults) {
        return sizes.isEmpty() ? List.of(defaults) : sizes;
    }

    /** Measures the messages after the first ones, which fill the stores. */
    private void measure(Bench bench, Contender contender, String column, long size, Input input, long filling)
            throws Exception {
        // At least as many, so that all rows run in compiled code.
        long from = Math.max(filling, messages);
        bench.produce(input, from + messages);
        for (int round = 0; round < options.rounds; round++) {
            try (Running running = bench.start(contender, options.jars.get(0), input.topic(), 1, Sizes.SMALL)) {
                Measured speed = running.measure(from, from + messages * 95 / 100);
                results.computeIfAbsent(column, any -> new LinkedHashMap<>())
                        .computeIfAbsent(size, any -> new ArrayList<>())
                        .add(speed.report(column + ", " + size));
            }
        }
    }

    private void publish(String section, String dimension) throws Exception {
        StringBuilder table = new StringBuilder(String.format(
                Locale.ROOT,
                "%,d measured messages, rounds: %d; application CPU per message in µs,%n"
                        + "medians (lowest to highest), and times the first row.%n%n| %s |",
                messages,
                options.rounds,
                dimension));
        results.keySet().forEach(column -> table.append(' ').append(column).append(" | times |"));
        table.append("\n|---|").append("---|---|".repeat(results.size())).append('\n');
        Map<Long, List<Measured>> any = results.values().iterator().next();
        for (long size : any.keySet()) {
            table.append(String.format(Locale.ROOT, "| %,d |", size));
            for (Map<Long, List<Measured>> column : results.values()) {
                Spread baseline = Spread.of(column.values().iterator().next(), Measured::cpuMicros);
                Spread cpu = Spread.of(column.get(size), Measured::cpuMicros);
                table.append(String.format(Locale.ROOT, " %s | %.2f |", cpu.cell(1), cpu.median() / baseline.median()));
            }
            table.append('\n');
        }
        options.publish("speed growth " + section, table.toString());
    }

    private void hot(Bench bench) throws Exception {
        double perSecond = rate == null ? Latency.halfThroughput(bench, options) : rate;
        Map<String, List<Summary>> runs = new LinkedHashMap<>();
        for (int round = 0; round < options.rounds; round++) {
            hot(bench, runs, "none", Traffic.SLIP.over(MANY), perSecond);
            hot(bench, runs, "one with 30 % of the messages", Traffic.withHotConversation(MANY), perSecond);
        }
        StringBuilder table = new StringBuilder(String.format(
                Locale.ROOT,
                "%,.0f nSLIP messages/s, %,d other conversations, rounds: %d; latency of the other%n"
                        + "conversations in ms, medians (lowest to highest).%n%n| hot conversation | median | 99 %% |%n|---|---|---|%n",
                perSecond,
                MANY,
                options.rounds));
        runs.forEach((title, all) -> table.append(String.format(
                Locale.ROOT,
                "| %s | %s | %s |%n",
                title,
                Spread.of(all, Summary::median).cell(0),
                Spread.of(all, Summary::p99).cell(0))));
        options.publish("speed growth hot", table.toString());
    }

    private void hot(Bench bench, Map<String, List<Summary>> runs, String title, Input input, double perSecond)
            throws Exception {
        LatencyRun run = LatencyRun.of(
                bench, Contender.PARLEY, options.jars.get(0), input, perSecond, Duration.ofSeconds(seconds), HOT_CHAIN);
        runs.computeIfAbsent(title, any -> new ArrayList<>()).add(run.warm());
    }
}
