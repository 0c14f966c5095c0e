package dev.parley.load.run;

import dev.parley.embedded.SchemaRegistryEndpoint;
import dev.parley.load.Markdown;
import dev.parley.load.process.JavaProcess;
import dev.parley.load.process.ParleyProcess;
import dev.parley.load.run.Bench.Running;
import dev.parley.load.run.Measured.Observation;
import dev.parley.load.sample.Input;
import dev.parley.load.sample.Traffic;
import dev.parley.protocol.TopicNames;
import dev.parley.topology.views.store.ViewStores;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.Utils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
final class ViewSpeed implements Callable<Integer> {
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final double FROM = 0.15;
    private static final double TO = 0.95;
    private static final long QUIET_NANOS = 3_000_000_000L;

    /** Messages of one conversation, except the large one. */
    private static final int TURNS = 70;

    @Mixin
    private BenchOptions options;

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

    /**
     * Progress up to a time.
     *
     * @param changes changes of the audit view
     * @param counted offsets of the audit topic that the traffic counts have committed
     */
    private record Progress(long changes, long counted, long nanos, long cpuNanos) {
        /** The share of the work that both the views and the traffic counts have done. */
        double of(Progress whole) {
            return Math.min((double) changes / whole.changes, (double) counted / whole.counted);
        }
    }

    @Override
    public Integer call() throws Exception {
        List<Measured> processed = new ArrayList<>();
        List<Measured> restored = new ArrayList<>();
        List<Measured> pipelines = new ArrayList<>();
        List<Measured> starts = new ArrayList<>();
        Map<String, double[]> latencies = Map.of();
        try (Bench bench = new Bench(options, Map.of())) {
            String run = audit(bench);
            for (int round = 0; round < rounds; round++) {
                String state = options.directory.resolve("views-" + round).toString();
                bench.deleteApplication(run + "-views");
                bench.deleteApplication(run + "-traffic");
                try (SchemaRegistryEndpoint registry = bench.registry(run)) {
                    // The second process has the state of the first.
                    for (List<Measured> phase : List.of(pipelines, starts)) {
                        try (JavaProcess pipeline =
                                start(bench, registry, run, "pipeline", state, "pipeline-" + round)) {
                            phase.add(awaitReady(new ParleyProcess(pipeline)));
                        }
                    }
                    Utils.delete(new File(state));
                    try (JavaProcess views = start(bench, registry, run, "views", state, "build-" + round)) {
                        new ParleyProcess(views).awaitReady(TIMEOUT);
                        processed.add(process(bench, run, views));
                    }
                    Utils.delete(new File(state));
                    try (JavaProcess views = start(bench, registry, run, "views", state, "restore-" + round)) {
                        ParleyProcess parley = new ParleyProcess(views);
                        restored.add(awaitReady(parley));
                        if (round == rounds - 1 && requests > 0) {
                            ViewQueries queries = new ViewQueries(parley.api());
                            queries.warmUp(Math.max(1, requests / 5));
                            latencies = queries.measure(requests, rate);
                        }
                    }
                    Utils.delete(new File(state));
                }
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%,d audit records, %d partitions, one stream thread, rounds: %d, medians (lowest to highest).%n%n",
                messages,
                Bench.PARTITIONS,
                rounds);
        System.out.print(Markdown.head("role views alone", "audit records/s", "CPU, µs per record")
                + row("process the records", processed)
                + row("restore", restored)
                + row("role pipeline alone: restore", pipelines)
                + row("role pipeline alone: start with its state", starts));
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
        return fast ? 0 : 1;
    }

    private static String row(String phase, List<Measured> all) {
        return Markdown.row(phase, Spread.of(all, Measured::perSecond), Spread.of(all, Measured::cpuMicros));
    }

    /** Lets the pipeline audit the messages, and returns its application ID. */
    private String audit(Bench bench) throws Exception {
        Input input = Traffic.VIEWS.over(conversations == null ? Math.max(10, messages / TURNS) : conversations);
        bench.produce(input, messages);
        try (Running running = bench.start(Contender.PARLEY, options.jars.get(0), input.topic(), 1, Sizes.SMALL)) {
            double before = 0;
            for (double end = messages; end > before; ) {
                before = running.await(end).messages();
                TimeUnit.NANOSECONDS.sleep(QUIET_NANOS);
                end = bench.end(TopicNames.DEFAULT.audit());
            }
            return running.run();
        }
    }

    private JavaProcess start(
            Bench bench, SchemaRegistryEndpoint registry, String run, String roles, String state, String name)
            throws IOException {
        Map<String, String> config = new HashMap<>(Map.of(
                "application.id", run,
                "roles", roles,
                "state.dir", state,
                "views.standby.replicas", "0",
                // The clock closes no minutes, whose rows would be written during the next measurement.
                "traffic.pause.ms", "3600000",
                // The client is one caller at one address.
                "http.limits.rate", "0",
                "http.limits.caller.requests", "1000",
                "http.limits.address.connections", "1000"));
        return bench.parley(name, options.jars.get(0), registry, config);
    }

    private Measured awaitReady(ParleyProcess parley) throws InterruptedException {
        Observation begin = observe(parley.process(), 0);
        parley.awaitReady(TIMEOUT);
        return Measured.between("ready", begin, observe(parley.process(), messages));
    }

    private static Observation observe(JavaProcess views, double records) {
        return new Observation(views.nanos(), records, views.cpuNanos(), 0);
    }

    /** The speed at which both the audit view and the traffic counts advanced, between two shares of the whole. */
    private Measured process(Bench bench, String run, JavaProcess views) throws Exception {
        String changelog = run + "-views-" + ViewStores.AUDIT + "-changelog";
        List<Progress> all = new ArrayList<>();
        Progress last = new Progress(0, 0, 0, 0);
        // Each record makes several changes.
        while (last.changes() < messages || last.counted() < messages || views.nanos() - last.nanos() < QUIET_NANOS) {
            if (!views.isAlive()) {
                throw new IllegalStateException("The views ended; see " + views.log());
            }
            Progress now = new Progress(
                    bench.end(changelog),
                    bench.committed(run + "-traffic", TopicNames.DEFAULT.audit()),
                    views.nanos(),
                    views.cpuNanos());
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
        return new Observation(found.nanos(), found.of(whole) * messages, found.cpuNanos(), 0);
    }
}
