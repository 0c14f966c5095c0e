package dev.parley.benchmarks.speed;

import dev.parley.benchmarks.speed.Bench.Running;
import dev.parley.benchmarks.speed.Measured.Spread;
import dev.parley.load.sample.Input;
import dev.parley.load.sample.Traffic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Runs systems in turn over the same messages, for several rounds. The speed is measured between 15 % and 95 % of the
 * messages, which excludes start and end.
 */
@Command(
        name = "throughput",
        mixinStandardHelpOptions = true,
        description = "Measures messages per second, CPU and bytes per message of several systems.")
final class Throughput implements Callable<Integer> {
    private static final double FROM = 0.15;
    private static final double TO = 0.95;
    /** Messages of one conversation. */
    private static final int TURNS = 60;

    @Mixin
    private BenchOptions options;

    @Option(
            names = "--messages",
            defaultValue = "600000",
            description = "Messages, 60 in each conversation (default: ${DEFAULT-VALUE}).")
    private long messages;

    @Option(
            names = "--load",
            split = ",",
            defaultValue = "slip",
            description = "Messages to send: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private List<Traffic> loads;

    @Option(
            names = "--systems",
            split = ",",
            description = "Systems to measure: ${COMPLETION-CANDIDATES} (default: all for slip, shape and parley for "
                    + "the other loads). sized-shape and sized-outputs take their sizes from parley.")
    private List<Contender> systems = List.of();

    @Option(
            names = "--min-ratio",
            description =
                    "Exit status 1 if the best round of Parley is below this share of the reference's best round.")
    private Double minRatio;

    @Option(
            names = "--reference",
            defaultValue = "shape",
            description = "System that ratios compare with (default: ${DEFAULT-VALUE}).")
    private Contender reference;

    /** A system and the jar that runs it if it is Parley. */
    private record Candidate(Contender contender, Path jar, String title) {}

    @Override
    public Integer call() throws Exception {
        boolean enough = true;
        try (Bench bench = new Bench(options)) {
            for (Traffic load : loads) {
                enough &= measure(bench, load);
            }
        }
        return enough ? 0 : 1;
    }

    private boolean measure(Bench bench, Traffic load) throws Exception {
        if (load == Traffic.MIX && systems.contains(Contender.KEYED_PARLEY)) {
            throw new IllegalArgumentException("The keys of the sample mix are no conversations; omit keyed-parley");
        }
        if (candidates(load).stream().noneMatch(candidate -> candidate.contender() == reference)) {
            throw new IllegalArgumentException("--systems must contain the --reference " + reference);
        }
        Input input = load.over(Math.max(1, messages / TURNS));
        bench.produce(input, messages);
        Map<Candidate, List<Measured>> speeds = new LinkedHashMap<>();
        List<TopicBytes> topics = List.of();
        double disk = 0;
        double resident = 0;
        for (int round = 0; round < options.rounds; round++) {
            for (Candidate candidate : candidates(load)) {
                boolean isParley = candidate.contender() == Contender.PARLEY;
                Sizes sizes = candidate.contender().isSized() ? Sizes.of(topics) : Sizes.SMALL;
                Running running = bench.start(candidate.contender(), candidate.jar(), input.topic(), 1, sizes);
                try (running) {
                    Measured speed = running.measure((long) (FROM * messages), (long) (TO * messages));
                    speeds.computeIfAbsent(candidate, any -> new ArrayList<>())
                            .add(speed.report(load + ", " + candidate.title()));
                    resident = isParley ? running.residentMiB() : resident;
                }
                if (isParley && topics.isEmpty()) {
                    topics = running.bytes(input.topic());
                    disk = running.diskBytes(input.topic());
                }
            }
        }
        options.publish(
                "speed throughput " + load,
                table(load, speeds) + (topics.isEmpty() ? "" : "\n" + TopicBytes.table(topics)));
        if (options.write && load == Traffic.MIX && !topics.isEmpty()) {
            Measured speed = median(runs(speeds, Contender.PARLEY));
            Capacity.update(options.docs, Figures.measured(speed, topics, disk, resident));
        }
        return minRatio == null || reaches(minRatio, runs(speeds, Contender.PARLEY), runs(speeds, reference));
    }

    /** Returns whether the best run of Parley reaches a share of the best run of another system. */
    static boolean reaches(double share, List<Measured> parley, List<Measured> other) {
        return best(parley) >= share * best(other);
    }

    /** The runs of a system, for Parley of its first build. */
    private static List<Measured> runs(Map<Candidate, List<Measured>> speeds, Contender contender) {
        return speeds.entrySet().stream()
                .filter(system -> system.getKey().contender() == contender)
                .findFirst()
                .map(Map.Entry::getValue)
                .orElseThrow(() -> new IllegalArgumentException("--systems must contain " + contender));
    }

    private static Measured median(List<Measured> runs) {
        return runs.stream()
                .sorted(Comparator.comparingDouble(Measured::perSecond))
                .toList()
                .get(runs.size() / 2);
    }

    private static double best(List<Measured> runs) {
        return Spread.of(runs, Measured::perSecond).highest();
    }

    /** The systems of a round, and after Parley its other builds. */
    private List<Candidate> candidates(Traffic load) {
        List<Contender> all =
                load == Traffic.SLIP ? List.of(Contender.values()) : List.of(Contender.SHAPE, Contender.PARLEY);
        return (systems.isEmpty() ? all : systems)
                .stream()
                        .sorted()
                        .flatMap(contender -> contender.isParley()
                                ? Stream.iterate(0, build -> build < options.jars.size(), build -> build + 1)
                                        .map(build -> new Candidate(
                                                contender,
                                                options.jars.get(build),
                                                contender.title() + (build == 0 ? "" : ", build " + (build + 1))))
                                : Stream.of(new Candidate(contender, null, contender.title())))
                        .toList();
    }

    private String table(Traffic load, Map<Candidate, List<Measured>> speeds) {
        double compared =
                Spread.of(runs(speeds, reference), Measured::perSecond).median();
        StringBuilder table = new StringBuilder(String.format(
                Locale.ROOT,
                "%,d messages (%s), %d partitions, one stream thread, exactly once, rounds: %d,%n"
                        + "medians (lowest to highest).%n%n"
                        + "| system | messages/s | of %s | application CPU, µs per message "
                        + "| broker CPU, µs per message |%n|---|---|---|---|---|%n",
                messages,
                load.title(),
                Bench.PARTITIONS,
                options.rounds,
                reference == Contender.SHAPE ? "the shape" : reference));
        speeds.forEach((system, runs) -> {
            Spread rate = Spread.of(runs, Measured::perSecond);
            table.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %.2f | %s | %s |%n",
                    system.title(),
                    rate.cell(0),
                    rate.median() / compared,
                    Spread.of(runs, Measured::cpuMicros).cell(1),
                    Spread.of(runs, Measured::brokerMicros).cell(1)));
        });
        return table.toString();
    }
}
