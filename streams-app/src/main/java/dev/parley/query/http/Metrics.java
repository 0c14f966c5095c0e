package dev.parley.query.http;

import dev.parley.avro.Protocol;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.operations.progress.ProgressMonitor;
import dev.parley.operations.progress.SourceProgress;
import dev.parley.query.cluster.PeerResponse;
import dev.parley.query.cluster.Peers;
import dev.parley.query.cluster.ViewAnswer;
import dev.parley.query.read.Accounts;
import dev.parley.query.read.Accounts.Counts;
import dev.parley.query.read.LocalViews;
import dev.parley.query.read.Views;
import dev.parley.query.read.ViewsUnavailableException;
import dev.parley.topology.pipeline.PipelineListener;
import dev.parley.topology.views.ViewStores;
import dev.parley.topology.views.ViewsListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.IntStream;
import org.apache.kafka.streams.KafkaStreams;

/**
 * What Prometheus scrapes: the metrics of Kafka Streams and of the JVM, the accounting, the verdicts of this process,
 * how long it takes from an input record to its place in the views, how far the views are that lie here, and how the
 * other processes answer.
 */
public final class Metrics implements PipelineListener, ViewsListener, AutoCloseable {

    /** Content type of {@link #scrape}. */
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    /** Kafka's metrics come and go with tasks and clients; how often they are looked up. */
    private static final Duration REFRESH = Duration.ofSeconds(10);

    private static final int[] LATENCY_BUCKETS_MS = {
        50, 100, 150, 200, 300, 400, 500, 750, 1_000, 1_500, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000
    };
    private static final String NONE = "NONE";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final List<AutoCloseable> bound = new ArrayList<>();
    private final MultiGauge records;
    private final MultiGauge balanced;
    private final MultiGauge lags;
    private final Map<ProblemException.Code, Counter> problems = new EnumMap<>(ProblemException.Code.class);
    private final Instant since = Instant.now();
    private final Meter.MeterProvider<Counter> verdicts;
    private final Timer latency;
    private final Meter.MeterProvider<Timer> peers;
    private final ScheduledExecutorService refreshing = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "parley-metrics");
        thread.setDaemon(true);
        return thread;
    });
    private final MultiGauge unread;
    private final MultiGauge reread;
    private final MultiGauge sourceLags;
    private final MultiGauge stalls;
    private volatile Optional<LocalViews> views = Optional.empty();
    private volatile Optional<ProgressMonitor> monitor = Optional.empty();

    private Metrics() {
        verdicts = Counter.builder("parley.verdicts")
                .description("Verdicts of this process; code NONE when accepted")
                .withRegistry(registry);
        latency = Timer.builder("parley.latency")
                .description(
                        "From the time of an input record to its place in the views, for records later than the start of this process")
                .serviceLevelObjectives(IntStream.of(LATENCY_BUCKETS_MS)
                        .mapToObj(Duration::ofMillis)
                        .toArray(Duration[]::new))
                .register(registry);
        peers = Timer.builder("parley.peers")
                .description(
                        "Requests to peers by the status of HTTP that stands for the response, NONE when there was none")
                .withRegistry(registry);
        for (ProblemException.Code code : ProblemException.Code.values()) {
            problems.put(
                    code,
                    Counter.builder("parley.http.problems")
                            .description("Requests that were answered with a problem")
                            .tag("code", code.name())
                            .register(registry));
        }
        this.records = MultiGauge.builder("parley.accounting.records")
                .description("Records of an input partition by what became of them")
                .register(registry);
        this.balanced = MultiGauge.builder("parley.accounting.balanced")
                .description("1 when every record of an input partition was read and became something, else 0")
                .register(registry);
        this.lags = MultiGauge.builder("parley.views.lag")
                .description(
                        "Changes that a partition of the views lacks that lies here: none when it can be read, else a copy or one that is being restored")
                .register(registry);
        this.unread = MultiGauge.builder("parley.accounting.unread")
                .description("Offsets of an input partition that were deleted before they were read")
                .register(registry);
        this.reread = MultiGauge.builder("parley.accounting.reread")
                .description("Records of an input partition that came again and were skipped")
                .register(registry);
        this.sourceLags = MultiGauge.builder("parley.source.lag")
                .description("Offsets of a source partition that its application has not committed")
                .register(registry);
        this.stalls = MultiGauge.builder("parley.source.stalled")
                .description(
                        "Seconds for which a source partition with unread records has made no progress; 0 below health.stalled.ms")
                .baseUnit("seconds")
                .register(registry);
    }

    /** Metrics of the process, and of what it hears as an observer; {@link #watch} adds those of its applications. */
    public static Metrics create() {
        Metrics metrics = new Metrics();
        new JvmMemoryMetrics().bindTo(metrics.registry);
        new JvmThreadMetrics().bindTo(metrics.registry);
        new ProcessorMetrics().bindTo(metrics.registry);
        new UptimeMetrics().bindTo(metrics.registry);
        JvmGcMetrics gc = new JvmGcMetrics();
        gc.bindTo(metrics.registry);
        metrics.bound.add(gc);
        return metrics;
    }

    /**
     * Adds the metrics of applications.
     *
     * @param streams applications of Kafka Streams by name; the name is the value of the tag "application"
     * @param local the views; empty in a process without them, whose metrics have neither lags nor an accounting
     */
    public void watch(Map<String, KafkaStreams> streams, Optional<LocalViews> local) {
        streams.forEach((name, application) -> {
            KafkaStreamsMetrics binder =
                    new KafkaStreamsMetrics(application, List.of(Tag.of("application", name)), refreshing, REFRESH);
            binder.bindTo(registry);
            bound.add(binder);
        });
        views = local;
    }

    /** Adds what the progress of the applications' sources shows, and the restarts of their threads. */
    public void watch(ProgressMonitor progress) {
        progress.restarts()
                .keySet()
                .forEach(name -> FunctionCounter.builder(
                                "parley.stream.restarts",
                                progress,
                                found -> found.restarts().getOrDefault(name, 0L))
                        .description("Stream threads that failed and were started again")
                        .tag("application", name)
                        .register(registry));
        monitor = Optional.of(progress);
    }

    /** The same peers, with how long they take and what they answer counted. */
    public Peers timed(Peers others) {
        return (peer, request, caller) -> {
            Timer.Sample sample = Timer.start();
            return others.ask(peer, request, caller)
                    .whenComplete((response, failure) ->
                            sample.stop(peers.withTag("status", response == null ? NONE : status(response))));
        };
    }

    /** The status of HTTP that stands for a response. */
    private static String status(PeerResponse response) {
        if (response instanceof PeerResponse.Failure failure) {
            return switch (failure.error()) {
                case VIEWS_UNAVAILABLE, POSITION_NOT_VISIBLE -> "503";
                case FORBIDDEN -> "403";
                case UNSUPPORTED_VERSION, MALFORMED_REQUEST, UNKNOWN_OPERATION -> "400";
            };
        }
        if (response instanceof PeerResponse.Success success) {
            ViewAnswer answer = success.response().answer();
            if (answer instanceof ViewAnswer.Refusal refusal) {
                return Integer.toString(
                        ProblemException.named(refusal.code(), "").code().status());
            }
            return answer instanceof ViewAnswer.Absent ? "404" : "200";
        }
        return NONE;
    }

    @Override
    public void recorded(Protocol protocol, Verdict verdict, Stage stage, String code) {
        verdicts.withTags(
                        "protocol",
                        protocol.name(),
                        "verdict",
                        verdict.name(),
                        "stage",
                        stage.name(),
                        "code",
                        code == null ? NONE : code)
                .increment();
    }

    @Override
    public void visible(Instant timestamp) {
        if (timestamp.isAfter(since)) {
            Duration age = Duration.between(timestamp, Instant.now());
            latency.record(age.isNegative() ? Duration.ZERO : age);
        }
    }

    /** The registry, for meters of other parts of the application. */
    public PrometheusMeterRegistry registry() {
        return registry;
    }

    void count(ProblemException.Code code) {
        problems.get(code).increment();
    }

    /** Everything in Prometheus' text format. Without readable stores the accounting stands as it was read last. */
    public String scrape() {
        views.ifPresent(this::readLags);
        monitor.flatMap(ProgressMonitor::progress).ifPresent(this::readProgress);
        try {
            views.map(LocalViews::active).ifPresent(this::readAccounting);
        } catch (ViewsUnavailableException e) {
            // The other metrics say why; a scrape is no place to fail.
        }
        return registry.scrape();
    }

    private void readLags(LocalViews local) {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        for (String store : ViewStores.PARTITIONED) {
            SortedMap<Integer, Long> behind = local.lags(store);
            try {
                local.readable(store).forEach(partition -> behind.put(partition, 0L));
            } catch (ViewsUnavailableException e) {
                // Then nothing of it can be read, and all that lies here is behind.
            }
            behind.forEach((partition, changes) ->
                    rows.add(MultiGauge.Row.of(Tags.of("store", store, "partition", partition.toString()), changes)));
        }
        lags.register(rows, true);
    }

    private void readProgress(SourceProgress progress) {
        List<MultiGauge.Row<?>> lagRows = new ArrayList<>();
        List<MultiGauge.Row<?>> stallRows = new ArrayList<>();
        for (SourceProgress.Partition source : progress.partitions()) {
            Tags tags = Tags.of(
                    "application",
                    source.application(),
                    "topic",
                    source.topic(),
                    "partition",
                    Integer.toString(source.partition()));
            lagRows.add(MultiGauge.Row.of(tags, source.lag()));
            stallRows.add(MultiGauge.Row.of(
                    tags, source.stall().map(SourceProgress.Stall::seconds).orElse(0L)));
        }
        sourceLags.register(lagRows, true);
        stalls.register(stallRows, true);
    }

    private void readAccounting(Views accounts) {
        List<MultiGauge.Row<?>> recordRows = new ArrayList<>();
        List<MultiGauge.Row<?>> balancedRows = new ArrayList<>();
        List<MultiGauge.Row<?>> unreadRows = new ArrayList<>();
        List<MultiGauge.Row<?>> rereadRows = new ArrayList<>();
        for (Accounts.Account account :
                Accounts.of(accounts.accounting(), monitor.flatMap(ProgressMonitor::progress))) {
            Tags input = Tags.of(
                    "topic",
                    account.input().topic(),
                    "partition",
                    Integer.toString(account.input().partition()));
            Counts counts = account.counts();
            recordRows.add(MultiGauge.Row.of(input.and("count", "inputs"), counts.inputs()));
            recordRows.add(MultiGauge.Row.of(input.and("count", "accepted"), counts.accepted()));
            recordRows.add(MultiGauge.Row.of(input.and("count", "rejected"), counts.rejected()));
            recordRows.add(MultiGauge.Row.of(input.and("count", "flagged"), counts.flagged()));
            recordRows.add(MultiGauge.Row.of(input.and("count", "undecodable"), counts.undecodable()));
            recordRows.add(MultiGauge.Row.of(input.and("count", "parked"), counts.parked()));
            unreadRows.add(MultiGauge.Row.of(input, counts.unread()));
            rereadRows.add(MultiGauge.Row.of(input, counts.reread()));
            balancedRows.add(MultiGauge.Row.of(input, account.balanced() ? 1 : 0));
        }
        records.register(recordRows, true);
        unread.register(unreadRows, true);
        reread.register(rereadRows, true);
        balanced.register(balancedRows, true);
    }

    @Override
    public void close() {
        for (AutoCloseable binder : bound) {
            try {
                binder.close();
            } catch (Exception e) {
                throw new IllegalStateException("a metrics binder did not close", e);
            }
        }
        refreshing.shutdownNow();
        registry.close();
    }
}
