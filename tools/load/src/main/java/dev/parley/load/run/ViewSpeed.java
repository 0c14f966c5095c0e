package dev.parley.load.run;

import dev.parley.embedded.SchemaRegistryEndpoint;
import dev.parley.load.Markdown;
import dev.parley.load.process.ParleyProcess;
import dev.parley.load.run.Bench.Running;
import dev.parley.load.run.Measured.Observation;
import dev.parley.load.sample.Input;
import dev.parley.load.sample.Traffic;
import dev.parley.protocol.TopicNames;
import dev.parley.topology.views.store.ViewStores;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.Utils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Lets the pipeline write audit records, and measures how fast an instance with the role pipeline restores them and
 * starts with them. Then measures an instance with the role views alone over them, which includes the traffic counts:
 * how fast it processes the records, how fast it restores without its state directory, and how fast it answers.
 */
@Command(
        name = "views",
        description = "Measures the views alone: records per second, restore, and latency of queries. Also measures "
                + "the restore of the pipeline.")
final class ViewSpeed extends BenchRun {
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final double FROM = 0.15;
    private static final double TO = 0.95;
    private static final long QUIET_NANOS = 3_000_000_000L;

    /** Messages of one conversation, except the large one. */
    private static final int TURNS = 70;

    @Option(names = "--rounds", defaultValue = "3", description = "Number of rounds.")
    private int rounds;

    @Option(names = "--messages", defaultValue = "1000000", description = "Audit records.")
    private long messages;

    @Option(names = "--conversations", description = "Conversations (default: a seventieth of the records).")
    private Long conversations;

    @Option(names = "--requests", defaultValue = "300", description = "Queries of a kind; 0 for none.")
    private int requests;

    @Option(names = "--rate", defaultValue = "150", description = "Queries of all kinds per second.")
    private double rate;

    @Option(
            names = "--max-p99",
            paramLabel = "MS",
            description = "Exit status 1 if the 99th percentile of a kind of query exceeds this.")
    private Double maxP99;

    private final Map<String, List<Measured>> phases = new LinkedHashMap<>();

    /** What an instance does in one phase of a round. */
    private interface Phase {
        Measured measure(ParleyProcess parley) throws Exception;
    }

    /**
     * Progress up to a time.
     *
     * @param changes changes of the audit view
     * @param counted offsets of the audit topic that the traffic counts have committed
     */
    private record Progress(long changes, long counted, Observation time) {
        /** The share of the work that both the views and the traffic counts have done. */
        double of(Progress whole) {
            return Math.min((double) changes / whole.changes, (double) counted / whole.counted);
        }
    }

    @Override
    boolean run(Bench bench) throws Exception {
        String run = audit(bench);
        Map<String, double[]> latencies = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            boolean last = round == rounds - 1;
            phase(bench, run, "views", "process the records", false, views -> {
                views.awaitReady(TIMEOUT);
                return process(bench, run, views);
            });
            phase(bench, run, "views", "restore", false, views -> {
                Measured restore = awaitReady(views);
                if (last && requests > 0) {
                    ViewQueries queries = new ViewQueries(views.api());
                    queries.warmUp(Math.max(1, requests / 5));
                    latencies.putAll(queries.measure(requests, rate));
                }
                return restore;
            });
            phase(bench, run, "pipeline", "role pipeline alone: restore", false, this::awaitReady);
            phase(bench, run, "pipeline", "role pipeline alone: start with its state", true, this::awaitReady);
            bench.deleteApplication(run + "-views");
            bench.deleteApplication(run + "-traffic");
        }
        System.out.printf(
                Locale.ROOT,
                "%,d audit records, %d partitions, one stream thread, rounds: %d, medians (lowest to highest).%n%n",
                messages,
                Bench.PARTITIONS,
                rounds);
        System.out.print(Markdown.head("role views alone", "audit records/s", "CPU, µs per record"));
        phases.forEach((phase, all) -> System.out.print(
                Markdown.row(phase, Spread.of(all, Measured::perSecond), Spread.of(all, Measured::cpuMicros))));
        System.out.printf(
                Locale.ROOT,
                "%n%,.0f queries/s of all kinds in turn, %d of each; ms from the time when a query is due to its"
                        + " response.%n%n",
                rate,
                requests);
        System.out.print(Markdown.head("query", "median", "99 %", "longest"));
        boolean fast = true;
        for (Map.Entry<String, double[]> kind : latencies.entrySet()) {
            double[] millis = kind.getValue();
            double p99 = millis[(int) Math.ceil(0.99 * requests) - 1];
            fast &= maxP99 == null || p99 <= maxP99;
            System.out.print(Markdown.row(
                    kind.getKey(),
                    Markdown.cell(millis[requests / 2], 1),
                    Markdown.cell(p99, 1),
                    Markdown.cell(millis[requests - 1], 1)));
        }
        return fast;
    }

    /** Lets the pipeline audit the messages, and returns its application ID. */
    private String audit(Bench bench) throws Exception {
        Input input = Traffic.VIEWS.over(conversations == null ? Math.max(10, messages / TURNS) : conversations);
        bench.produce(input, messages);
        try (Running running = bench.start(Contender.PARLEY, jars.get(0), input.topic(), 1, Sizes.SMALL)) {
            double before = 0;
            for (double end = messages; end > before; ) {
                before = running.await(end).messages();
                TimeUnit.NANOSECONDS.sleep(QUIET_NANOS);
                end = bench.end(TopicNames.DEFAULT.audit());
            }
            return running.run();
        }
    }

    /** Measures a phase of an instance, with the state of the phase before it or none. */
    private void phase(Bench bench, String run, String role, String title, boolean keepsState, Phase phase)
            throws Exception {
        Path state = directory.resolve("state");
        if (!keepsState) {
            Utils.delete(state.toFile());
        }
        Map<String, String> settings = Map.of(
                "application.id", run,
                "roles", role,
                "state.dir", state.toString(),
                "views.standby.replicas", "0",
                // The clock closes no minutes, whose rows would be written during the next measurement.
                "traffic.pause.ms", "3600000",
                // The client is one caller at one address.
                "http.limits.rate", "0",
                "http.limits.caller.requests", "1000",
                "http.limits.address.connections", "1000");
        List<Measured> all = phases.computeIfAbsent(title, any -> new ArrayList<>());
        String log = title.replaceAll("\\W+", "-") + "-" + all.size();
        try (SchemaRegistryEndpoint registry = bench.registry(run);
                ParleyProcess parley = new ParleyProcess(bench.parley(log, jars.get(0), registry, settings))) {
            all.add(phase.measure(parley));
        }
    }

    private Measured awaitReady(ParleyProcess parley) throws InterruptedException {
        Observation begin = observe(parley, 0);
        parley.awaitReady(TIMEOUT);
        return Measured.between("ready", begin, observe(parley, messages));
    }

    private static Observation observe(ParleyProcess parley, double records) {
        return new Observation(System.nanoTime(), records, parley.process().cpuNanos(), 0);
    }

    /** The speed at which both the audit view and the traffic counts advanced, between two shares of the whole. */
    private Measured process(Bench bench, String run, ParleyProcess views) throws Exception {
        String changelog = run + "-views-" + ViewStores.AUDIT + "-changelog";
        List<Progress> all = new ArrayList<>();
        Progress last = new Progress(0, 0, observe(views, 0));
        // Each record makes several changes.
        while (last.changes() < messages
                || last.counted() < messages
                || System.nanoTime() - last.time().nanos() < QUIET_NANOS) {
            if (!views.process().isAlive()) {
                throw new IllegalStateException(
                        "The views ended; see " + views.process().log());
            }
            Progress now = new Progress(
                    bench.end(changelog),
                    bench.committed(run + "-traffic", TopicNames.DEFAULT.audit()),
                    observe(views, 0));
            if (now.changes() > last.changes() || now.counted() > last.counted()) {
                all.add(now);
                last = now;
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        return Measured.between("process", at(all, FROM, last), at(all, TO, last));
    }

    private Observation at(List<Progress> all, double share, Progress whole) {
        Progress found = all.stream()
                .filter(progress -> progress.of(whole) >= share)
                .findFirst()
                .orElseThrow();
        return new Observation(
                found.time().nanos(), found.of(whole) * messages, found.time().cpuNanos(), 0);
    }
}
