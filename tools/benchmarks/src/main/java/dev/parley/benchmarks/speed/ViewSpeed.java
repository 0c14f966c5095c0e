package dev.parley.benchmarks.speed;

import dev.parley.benchmarks.speed.Bench.Running;
import dev.parley.benchmarks.speed.Measured.Spread;
import dev.parley.benchmarks.speed.ViewQueries.Latency;
import dev.parley.benchmarks.speed.ViewsProcess.Cost;
import dev.parley.embedded.SchemaRegistryEndpoint;
import dev.parley.load.sample.Input;
import dev.parley.load.sample.ViewTraffic;
import dev.parley.topology.topics.Topics;
import dev.parley.topology.views.store.ViewStores;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.Utils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Lets the pipeline write audit records. Then measures an instance with the role views alone over them, which includes
 * the traffic counts: how fast it processes the records, how fast it restores without its state directory, and how fast
 * it answers.
 */
@Command(
        name = "views",
        mixinStandardHelpOptions = true,
        description = "Measures the views alone: records per second, restore, and latency of queries.")
final class ViewSpeed implements Callable<Integer> {
    private static final String PROCESS = "process the records";
    private static final String RESTORE = "restore";
    private static final double FROM = 0.15;
    private static final double TO = 0.95;
    private static final long QUIET_NANOS = 3_000_000_000L;
    private static final int WARM_UP = 5;

    @Mixin
    private BenchOptions options;

    @Option(names = "--messages", defaultValue = "1000000", description = "Audit records (default: ${DEFAULT-VALUE}).")
    private long messages;

    @Option(
            names = "--requests",
            defaultValue = "300",
            description = "Queries of each kind (default: ${DEFAULT-VALUE}).")
    private int requests;

    @Option(
            names = "--rate",
            defaultValue = "150",
            description = "Queries of all kinds per second (default: ${DEFAULT-VALUE}).")
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
    private record Progress(long changes, long counted, Cost cost) {

        /** The share of the work that both the views and the traffic counts have done. */
        double of(Progress whole) {
            return Math.min((double) changes / whole.changes, (double) counted / whole.counted);
        }
    }

    /** Speed of a phase, per audit record. */
    private record Speed(double perSecond, double cpuMicros) {}

    @Override
    public Integer call() throws Exception {
        Map<String, List<Speed>> speeds = new LinkedHashMap<>();
        List<Latency> latencies = List.of();
        try (Bench bench = new Bench(options)) {
            String run = audit(bench);
            for (int round = 0; round < options.rounds; round++) {
                Path state = options.directory.resolve("views-" + round);
                bench.forget(run + "-views");
                bench.forget(run + "-traffic");
                try (SchemaRegistryEndpoint registry = bench.registry(run)) {
                    try (ViewsProcess views = start(bench, registry, run, state, "build-" + round)) {
                        add(speeds, PROCESS, processed(bench, run, views));
                    }
                    Utils.delete(state.toFile());
                    try (ViewsProcess views = start(bench, registry, run, state, "restore-" + round)) {
                        URI api = views.awaitStarted();
                        Cost begin = views.cost();
                        views.awaitReady();
                        add(speeds, RESTORE, speed(views.cost().minus(begin), messages));
                        if (round == options.rounds - 1) {
                            ViewQueries queries = ViewQueries.over(api);
                            queries.warmUp(Math.max(1, requests / WARM_UP));
                            latencies = queries.measure(requests, rate);
                        }
                    }
                    Utils.delete(state.toFile());
                }
            }
        }
        options.publish("speed views", table(speeds, latencies));
        return maxP99 == null || latencies.stream().allMatch(kind -> kind.p99() <= maxP99) ? 0 : 1;
    }

    /** Lets the pipeline audit the messages, and returns its application ID. */
    private String audit(Bench bench) throws Exception {
        Input input = new ViewTraffic(messages);
        bench.produce(input, messages);
        try (Running running = bench.start(Contender.PARLEY, options.jars.get(0), input.topic(), 1, Sizes.SMALL)) {
            running.await(messages);
            awaitQuiet(bench, Topics.AUDIT);
            return running.run();
        }
    }

    private ViewsProcess start(Bench bench, SchemaRegistryEndpoint registry, String run, Path state, String name)
            throws IOException {
        Map<String, String> config = new LinkedHashMap<>(bench.parleyConfig(registry));
        config.putAll(Map.of(
                "application.id",
                run,
                "roles",
                "views",
                "state.dir",
                state.toString(),
                "views.standby.replicas",
                "0",
                // The clock closes no minutes, whose rows would be written during the next measurement.
                "traffic.pause.ms",
                "3600000",
                // The client is one caller at one address.
                "http.limits.rate",
                "100000",
                "http.limits.burst",
                "100000",
                "http.limits.caller.requests",
                "1000",
                "http.limits.address.connections",
                "1000"));
        config.putAll(options.config);
        return new ViewsProcess(bench.process(name, Bench.parleyCommand(options.jars.get(0), config)), bench.log(name));
    }

    /** Waits until a topic has had no new records for a while. */
    private static void awaitQuiet(Bench bench, String topic) throws ExecutionException, InterruptedException {
        long end = -1;
        long since = System.nanoTime();
        while (System.nanoTime() - since < QUIET_NANOS) {
            long now = bench.end(topic);
            since = now == end ? since : System.nanoTime();
            end = now;
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    /** The speed at which both the audit view and the traffic counts advanced, between two shares of the whole. */
    private Speed processed(Bench bench, String run, ViewsProcess views) throws Exception {
        views.awaitStarted();
        views.awaitReady();
        String changelog = run + "-views-" + ViewStores.AUDIT + "-changelog";
        List<Progress> all = new ArrayList<>();
        Progress last = new Progress(0, 0, views.cost());
        long since = System.nanoTime();
        // Each record makes several changes.
        while (last.changes() < messages || last.counted() < messages || System.nanoTime() - since < QUIET_NANOS) {
            views.requireAlive();
            Progress now =
                    new Progress(bench.end(changelog), bench.committed(run + "-traffic", Topics.AUDIT), views.cost());
            if (now.changes() > last.changes() || now.counted() > last.counted()) {
                all.add(now);
                since = System.nanoTime();
                last = now;
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        Progress from = at(all, FROM, last);
        Progress to = at(all, TO, last);
        return speed(to.cost().minus(from.cost()), (to.of(last) - from.of(last)) * messages);
    }

    private static Progress at(List<Progress> all, double share, Progress last) {
        return all.stream()
                .filter(progress -> progress.of(last) >= share)
                .findFirst()
                .orElseThrow();
    }

    private static Speed speed(Cost cost, double records) {
        return new Speed(records / cost.nanos() * 1e9, cost.cpuNanos() / records / 1e3);
    }

    private static void add(Map<String, List<Speed>> speeds, String phase, Speed speed) {
        speeds.computeIfAbsent(phase, any -> new ArrayList<>()).add(speed);
        System.err.printf(
                Locale.ROOT,
                "speed: %s: %,.0f records/s, %.1f µs of CPU%n",
                phase,
                speed.perSecond(),
                speed.cpuMicros());
    }

    private String table(Map<String, List<Speed>> speeds, List<Latency> latencies) {
        StringBuilder table = new StringBuilder(String.format(
                Locale.ROOT,
                "%,d audit records, %d partitions, one stream thread, rounds: %d, medians (lowest to highest).%n%n"
                        + "| role views alone | audit records/s | CPU, µs per record |%n|---|---|---|%n",
                messages,
                Bench.PARTITIONS,
                options.rounds));
        speeds.forEach((phase, all) -> table.append(String.format(
                Locale.ROOT,
                "| %s | %s | %s |%n",
                phase,
                Spread.of(all, Speed::perSecond).cell(0),
                Spread.of(all, Speed::cpuMicros).cell(1))));
        table.append(String.format(
                Locale.ROOT,
                "%n%,.0f queries/s of all kinds in turn, %d of each; ms from the time when a query is due to its"
                        + " response.%n%n"
                        + "| query | median | 99 %% | longest | bytes |%n|---|---|---|---|---|%n",
                rate,
                requests));
        latencies.forEach(latency -> table.append(String.format(
                Locale.ROOT,
                "| %s | %.1f | %.1f | %.1f | %,d |%n",
                latency.kind(),
                latency.median(),
                latency.p99(),
                latency.longest(),
                latency.size())));
        return table.toString();
    }
}
