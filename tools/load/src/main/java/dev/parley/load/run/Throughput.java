package dev.parley.load.run;

import dev.parley.load.Markdown;
import dev.parley.load.run.Bench.Running;
import dev.parley.load.sample.Input;
import dev.parley.load.sample.Traffic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs systems in turn over the same messages, for several rounds. The speed is measured between 15 % and 95 % of the
 * messages, which excludes start and end.
 */
@Command(
        name = "throughput",
        description = "Measures messages per second, CPU and bytes per message of several systems. Several loads, "
                + "numbers of conversations, or numbers of threads show growth and scaling.")
final class Throughput extends BenchRun {
    private static final double FROM = 0.15;
    private static final double TO = 0.95;

    @Option(names = "--rounds", defaultValue = "3", description = "Number of rounds.")
    private int rounds;

    @Option(names = "--messages", defaultValue = "600000", description = "Messages.")
    private long messages;

    @Option(names = "--before", defaultValue = "0", description = "Messages to process before the measured ones.")
    private long before;

    @Option(
            names = "--load",
            split = ",",
            defaultValue = "slip",
            description = "Messages to send: ${COMPLETION-CANDIDATES}.")
    private List<Traffic> loads;

    @Option(
            names = "--conversations",
            split = ",",
            description = "Numbers of conversations (default: a sixtieth of the messages).")
    private List<Long> conversations;

    @Option(names = "--threads", split = ",", defaultValue = "1", description = "Numbers of stream threads.")
    private List<Integer> threads;

    @Option(
            names = "--systems",
            split = ",",
            defaultValue = "shape,parley",
            description = "Systems to measure: ${COMPLETION-CANDIDATES}. sized-shape takes " + "its sizes from parley.")
    private List<Contender> systems;

    @Option(names = "--reference", defaultValue = "shape", description = "System that ratios compare with.")
    private Contender reference;

    @Option(
            names = "--min-ratio",
            description =
                    "Exit status 1 if the best round of Parley is below this share of the reference's best round.")
    private Double minRatio;

    /** A system, the jar that runs it if it is Parley, and its stream threads. */
    private record Candidate(Contender contender, Path jar, int threads, String title) {}

    @Override
    boolean run(Bench bench) throws Exception {
        if (!systems.contains(reference)) {
            throw new IllegalArgumentException("--systems must contain the --reference " + reference);
        }
        boolean enough = true;
        for (Traffic load : loads) {
            for (long count : conversations == null ? List.of(Math.max(1, messages / 60)) : conversations) {
                enough &= measure(bench, load, count);
            }
        }
        return enough;
    }

    private boolean measure(Bench bench, Traffic load, long count) throws Exception {
        Input input = load.over(count);
        bench.produce(input, before + messages);
        Map<Candidate, List<Measured>> speeds = new LinkedHashMap<>();
        List<TopicBytes> topics = List.of();
        double resident = 0;
        double disk = 0;
        for (int round = 0; round < rounds; round++) {
            for (Candidate candidate : candidates()) {
                Contender contender = candidate.contender();
                Sizes sizes = contender == Contender.SIZED_SHAPE ? Sizes.of(topics) : Sizes.SMALL;
                Running running = bench.start(contender, candidate.jar(), input.topic(), candidate.threads(), sizes);
                try (running) {
                    speeds.computeIfAbsent(candidate, any -> new ArrayList<>())
                            .add(running.measure(before + FROM * messages, before + TO * messages));
                    resident = contender == Contender.PARLEY ? running.process().residentMiB() : resident;
                }
                if (contender == Contender.PARLEY && topics.isEmpty()) {
                    topics = running.bytes();
                    // Of the outputs, which have no prefix.
                    disk = bench.diskBytes(topic -> !topic.equals(input.topic())
                            && !topic.startsWith("__")
                            && !topic.startsWith(running.run() + "-"));
                }
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%,d messages (%s) in %,d conversations after %,d others, %d partitions, exactly once, rounds: %d,%n"
                        + "medians (lowest to highest).%n%n%s%n%s%n"
                        + "Resident memory of Parley: %,.0f MiB. Outputs on disk: %,.0f bytes per message.%n%n",
                messages,
                load,
                count,
                before,
                Bench.PARTITIONS,
                rounds,
                table(speeds),
                TopicBytes.table(topics),
                resident,
                disk / (before + messages));
        return minRatio == null || reaches(minRatio, runs(speeds, Contender.PARLEY), runs(speeds, reference));
    }

    /** Returns whether the best run of Parley reaches a share of the best run of another system. */
    static boolean reaches(double share, List<Measured> parley, List<Measured> other) {
        return Spread.of(parley, Measured::perSecond).highest()
                >= share * Spread.of(other, Measured::perSecond).highest();
    }

    /** The runs of a system: of its first build and number of threads. */
    private static List<Measured> runs(Map<Candidate, List<Measured>> speeds, Contender contender) {
        return speeds.entrySet().stream()
                .filter(system -> system.getKey().contender() == contender)
                .findFirst()
                .map(Map.Entry::getValue)
                .orElseThrow(() -> new IllegalArgumentException("--systems must contain " + contender));
    }

    /** The systems of a round. */
    private List<Candidate> candidates() {
        List<Candidate> all = new ArrayList<>();
        for (Contender contender : systems.stream().sorted().toList()) {
            for (int build = 0; build < (contender == Contender.PARLEY ? jars.size() : 1); build++) {
                for (int count : threads) {
                    String title = contender
                            + (build == 0 ? "" : ", build " + (build + 1))
                            + (threads.size() == 1 ? "" : ", stream threads: " + count);
                    all.add(new Candidate(contender, jars.get(build), count, title));
                }
            }
        }
        return all;
    }

    private String table(Map<Candidate, List<Measured>> speeds) {
        double compared =
                Spread.of(runs(speeds, reference), Measured::perSecond).median();
        StringBuilder table = new StringBuilder(Markdown.head(
                "system", "messages/s", "of " + reference, "CPU, µs per message", "broker CPU, µs per message"));
        speeds.forEach((system, runs) -> {
            Spread rate = Spread.of(runs, Measured::perSecond);
            table.append(Markdown.row(
                    system.title(),
                    rate,
                    String.format(Locale.ROOT, "%.2f", rate.median() / compared),
                    Spread.of(runs, Measured::cpuMicros),
                    Spread.of(runs, Measured::brokerMicros)));
        });
        return table.toString();
    }
}
