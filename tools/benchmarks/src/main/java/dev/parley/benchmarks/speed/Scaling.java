package dev.parley.benchmarks.speed;

import dev.parley.benchmarks.speed.Bench.Running;
import dev.parley.benchmarks.speed.Measured.Spread;
import dev.parley.load.sample.Input;
import dev.parley.load.sample.Traffic;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures throughput with one stream thread and with several. */
@Command(
        name = "scaling",
        mixinStandardHelpOptions = true,
        description = "Measures throughput and CPU with different numbers of stream threads.")
final class Scaling implements Callable<Integer> {
    private static final int TURNS = 60;

    @Mixin
    private BenchOptions options;

    @Option(names = "--messages", defaultValue = "600000", description = "nSLIP messages (default: ${DEFAULT-VALUE}).")
    private long messages;

    @Option(
            names = "--threads",
            split = ",",
            defaultValue = "1,2",
            description = "Numbers of stream threads; the first is the baseline (default: ${DEFAULT-VALUE}).")
    private List<Integer> threads;

    @Option(
            names = "--systems",
            split = ",",
            defaultValue = "shape,parley,keyed-parley",
            description = "Systems to measure (default: ${DEFAULT-VALUE}).")
    private List<Contender> systems;

    private record Candidate(Contender contender, int threads) {}

    @Override
    public Integer call() throws Exception {
        Map<Candidate, List<Measured>> speeds = new LinkedHashMap<>();
        Input input = Traffic.SLIP.over(Math.max(1, messages / TURNS));
        try (Bench bench = new Bench(options)) {
            bench.produce(input, messages);
            for (int round = 0; round < options.rounds; round++) {
                for (Contender contender : systems) {
                    for (int count : threads) {
                        try (Running running =
                                bench.start(contender, options.jars.get(0), input.topic(), count, Sizes.SMALL)) {
                            speeds.computeIfAbsent(new Candidate(contender, count), any -> new ArrayList<>())
                                    .add(running.measure(messages * 15 / 100, messages * 95 / 100)
                                            .report(contender + ", threads: " + count));
                        }
                    }
                }
            }
        }
        options.publish("speed scaling", table(speeds));
        return 0;
    }

    private String table(Map<Candidate, List<Measured>> speeds) {
        StringBuilder table = new StringBuilder(String.format(
                Locale.ROOT,
                "%,d nSLIP messages, %d partitions, rounds: %d, medians (lowest to highest); %d processors, shared"
                        + " with "
                        + "the broker.%n%n| system | stream threads | messages/s | of that with %d | CPU, µs per message "
                        + "| processors used by it | by the broker |%n|---|---|---|---|---|---|---|%n",
                messages,
                Bench.PARTITIONS,
                options.rounds,
                Runtime.getRuntime().availableProcessors(),
                threads.get(0)));
        speeds.forEach((candidate, runs) -> {
            Spread rate = Spread.of(runs, Measured::perSecond);
            double baseline = Spread.of(
                            speeds.get(new Candidate(candidate.contender(), threads.get(0))), Measured::perSecond)
                    .median();
            table.append(String.format(
                    Locale.ROOT,
                    "| %s | %d | %s | %.2f | %s | %.2f | %.2f |%n",
                    candidate.contender().title(),
                    candidate.threads(),
                    rate.cell(0),
                    rate.median() / baseline,
                    Spread.of(runs, Measured::cpuMicros).cell(1),
                    Spread.of(runs, run -> run.perSecond() * run.cpuMicros() / 1e6)
                            .median(),
                    Spread.of(runs, run -> run.perSecond() * run.brokerMicros() / 1e6)
                            .median()));
        });
        return table.toString();
    }
}
