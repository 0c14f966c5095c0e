package dev.parley.server.http;

import dev.parley.audit.LogNotes;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.LogPosition;
import dev.parley.avro.Protocol;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.server.cluster.PeerResponse;
import dev.parley.server.cluster.Peers;
import dev.parley.server.cluster.ViewAnswer;
import dev.parley.server.health.Accounts;
import dev.parley.server.health.Accounts.Account;
import dev.parley.server.health.Accounts.Counts;
import dev.parley.server.health.ProgressMonitor;
import dev.parley.server.health.SourceProgress;
import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.telemetry.SpanListener;
import dev.parley.topology.lifecycle.RestartLog;
import dev.parley.topology.pipeline.PipelineListener;
import dev.parley.topology.views.ViewsListener;
import dev.parley.topology.views.read.LocalViews;
import dev.parley.topology.views.read.Views;
import dev.parley.topology.views.store.ViewStores;
import dev.parley.topology.views.store.ViewsUnavailableException;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
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
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.utils.ThreadUtils;
import org.apache.kafka.streams.KafkaStreams;

/**
 * The metrics that Prometheus scrapes: Kafka Streams, JVM, accounting, verdicts and latency of this instance, lags of
 * its views, HTTP problems, and requests to peers.
 */
public final class Metrics implements PipelineListener, ViewsListener, SpanListener, AutoCloseable {

    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    /** Interval of looking for metrics of new tasks and clients. */
    private static final Duration REFRESH_INTERVAL = Duration.ofSeconds(10);

    /** The metrics of Kafka that the documentation, the dashboard and the alerts name. */
    private static final Set<String> KAFKA = Set.of(
            "kafka.consumer.coordinator.last.rebalance.seconds.ago",
            "kafka.consumer.coordinator.rebalance.total",
            "kafka.consumer.fetch.manager.records.lag",
            "kafka.consumer.fetch.manager.records.lag.max",
            "kafka.producer.topic.record.send.total",
            "kafka.stream.alive.stream.threads",
            "kafka.stream.failed.stream.threads",
            "kafka.stream.state.block.cache.usage",
            "kafka.stream.state.estimate.table.readers.mem",
            "kafka.stream.state.updater.active.restoring.tasks",
            "kafka.stream.state.updater.restore.records.rate",
            "kafka.stream.task.restore.remaining.records.total");

    private static final int[] LATENCY_BUCKETS_MS = {
        50, 100, 150, 200, 300, 400, 500, 750, 1_000, 1_500, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000
    };
    private static final String NONE = "NONE";

    private final PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    /** The registry of all meters: Prometheus alone, or a composite of it and of another registry. */
    private final MeterRegistry registry;

    private final JvmGcMetrics gc = new JvmGcMetrics();
    private final List<KafkaStreamsMetrics> kafka = new ArrayList<>();
    private final MultiGauge records;
    private final MultiGauge balanced;
    private final MultiGauge unread;
    private final MultiGauge reread;
    private final MultiGauge lags;
    private final MultiGauge sourceLags;
    private final MultiGauge stalls;
    private final MultiGauge headSizes;
    private final MultiGauge headAges;
    /** Sizes of the logs that this instance has written, by partition. */
    private final Map<Integer, AtomicLong> logSizes = new ConcurrentHashMap<>();

    /** 1 for a log that this instance writes and does not sign, by partition. */
    private final Map<Integer, AtomicLong> unsignedLogs = new ConcurrentHashMap<>();

    private final Meter.MeterProvider<Counter> verdicts;
    /** The counters by their tags: a lookup in the registry costs several times as much. */
    private final Map<VerdictTags, Counter> verdictCounters = new ConcurrentHashMap<>();

    private final Timer latency;
    private final Meter.MeterProvider<Timer> peers;
    private final Map<Code, Counter> problems;
    private final Map<SpanListener.Result, Counter> spans;
    private final Instant since = Instant.now();
    private final ScheduledExecutorService refreshing =
            Executors.newSingleThreadScheduledExecutor(ThreadUtils.createThreadFactory("parley-metrics", true));
    private volatile Optional<LocalViews> views = Optional.empty();
    private volatile Optional<ProgressMonitor> monitor = Optional.empty();

    /**
     * Creates the same metrics for Prometheus and for another registry.
     *
     * @param exported registry that exports them; {@link #close} closes it
     * @param allOfKafka whether to add all metrics of Kafka, which are thousands
     */
    public Metrics(Optional<MeterRegistry> exported, boolean allOfKafka) {
        registry = exported.<MeterRegistry>map(
                        other -> new CompositeMeterRegistry(Clock.SYSTEM, List.of(prometheus, other)))
                .orElse(prometheus);
        if (!allOfKafka) {
            registry.config()
                    .meterFilter(
                            MeterFilter.deny(id -> id.getName().startsWith("kafka.") && !KAFKA.contains(id.getName())));
        }
        records = gauge("parley.accounting.records", "Records of an input partition by verdict");
        balanced = gauge(
                "parley.accounting.balanced",
                "1 if every record of an input partition was read and has a verdict, otherwise 0");
        unread = gauge(
                "parley.accounting.unread", "Offsets of an input partition that were deleted before they were read");
        reread = gauge("parley.accounting.reread", "Repeated records of an input partition that were skipped");
        lags = gauge(
                "parley.views.lag", "Lag of a view partition on this instance in changes; 0 if owned and readable");
        sourceLags = gauge("parley.source.lag", "Offsets of a source partition that its application has not committed");
        stalls = seconds(
                "parley.source.stalled",
                "Seconds without progress on a source partition with unread records; 0 below health.stalled.ms");
        headSizes = gauge("parley.audit.head.size", "Records in the last head of an audit log");
        headAges = seconds("parley.audit.head.age", "Age of the last signed head of an audit log");
        verdicts = Counter.builder("parley.verdicts")
                .description("Verdicts of this instance; code NONE if accepted")
                .withRegistry(registry);
        latency = Timer.builder("parley.latency")
                .description("From the timestamp of an input record until it is visible,"
                        + " for records after the start of this instance")
                .serviceLevelObjectives(IntStream.of(LATENCY_BUCKETS_MS)
                        .mapToObj(Duration::ofMillis)
                        .toArray(Duration[]::new))
                .register(registry);
        peers = Timer.builder("parley.peers")
                .description("Requests to peers by equivalent HTTP status; NONE if there was no response")
                .withRegistry(registry);
        spans = counters(
                "parley.spans",
                "Spans of verdicts by result",
                "result",
                List.of(SpanListener.Result.values()),
                result -> result.name().toLowerCase(Locale.ROOT));
        problems = counters(
                "parley.http.problems", "Responses with a problem", "code", List.of(Code.values()), Code::name);
        List.of(new JvmMemoryMetrics(), new JvmThreadMetrics(), new ProcessorMetrics(), new UptimeMetrics(), gc)
                .forEach(binder -> binder.bindTo(registry));
    }

    /** Returns the registry with which features register their own meters. */
    public MeterRegistry registry() {
        return registry;
    }

    /** Registers a counter for each value of a tag, so that all of them exist from the start. */
    public <T> Map<T, Counter> counters(
            String name, String description, String tag, List<T> values, Function<T, String> text) {
        return values.stream()
                .collect(Collectors.toMap(
                        value -> value,
                        value -> Counter.builder(name)
                                .description(description)
                                .tag(tag, text.apply(value))
                                .register(registry)));
    }

    private MultiGauge gauge(String name, String description) {
        return MultiGauge.builder(name).description(description).register(registry);
    }

    private MultiGauge seconds(String name, String description) {
        return MultiGauge.builder(name)
                .description(description)
                .baseUnit("seconds")
                .register(registry);
    }

    /**
     * Adds the metrics of applications.
     *
     * @param streams Kafka Streams applications by name, the value of the tag "application"
     * @param local views of this instance; without them there are no metrics of lags and accounting
     */
    public void watch(Map<String, KafkaStreams> streams, Optional<LocalViews> local) {
        streams.forEach((name, application) -> {
            KafkaStreamsMetrics binder = new KafkaStreamsMetrics(
                    application, List.of(Tag.of("application", name)), refreshing, REFRESH_INTERVAL);
            binder.bindTo(registry);
            kafka.add(binder);
        });
        views = local;
    }

    /** Adds metrics of the applications' progress and of the restarts of their threads. */
    public void watch(ProgressMonitor progress) {
        progress.restarts()
                .forEach((name, log) -> FunctionCounter.builder("parley.stream.restarts", log, RestartLog::total)
                        .description("Stream threads that failed and were restarted")
                        .tag("application", name)
                        .register(registry));
        monitor = Optional.of(progress);
    }

    /** Wraps peers to measure their response times. */
    public Peers timed(Peers others) {
        return (peer, request, caller, result) -> {
            Timer.Sample sample = Timer.start();
            return others.ask(peer, request, caller, result)
                    .whenComplete((response, failure) ->
                            sample.stop(peers.withTag("status", response == null ? NONE : status(response))));
        };
    }

    /** HTTP status equivalent to a response. */
    private static String status(PeerResponse response) {
        if (response instanceof PeerResponse.Failure failure) {
            return switch (failure.error()) {
                case VIEWS_UNAVAILABLE, POSITION_NOT_VISIBLE -> "503";
                case FORBIDDEN -> "403";
                case MALFORMED_REQUEST, UNKNOWN_OPERATION -> "400";
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
        verdictCounters
                .computeIfAbsent(new VerdictTags(protocol, verdict, stage, code), this::counter)
                .increment();
    }

    @Override
    public void recorded(AuditRecord audit, Headers headers) {
        LogPosition position = audit.getLog();
        logSizes.computeIfAbsent(position.getPartition(), this::logSize).set(position.getIndex() + 1);
    }

    private AtomicLong logSize(int partition) {
        return logGauge("parley.audit.log.size", "Records of an audit log, as this instance wrote it last", partition);
    }

    @Override
    public void signing(int partition, boolean signs) {
        unsignedLogs
                .computeIfAbsent(
                        partition,
                        log -> logGauge(
                                "parley.audit.log.unsigned",
                                "1 if this instance writes an audit log but does not sign it, because the check of the"
                                        + " restored log failed; otherwise 0",
                                log))
                .set(signs ? 0 : 1);
    }

    /** Partitions of the logs that this instance writes and does not sign, in order. */
    public List<Integer> unsignedLogs() {
        return unsignedLogs.entrySet().stream()
                .filter(log -> log.getValue().get() == 1)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private AtomicLong logGauge(String name, String description, int partition) {
        AtomicLong value = new AtomicLong();
        Gauge.builder(name, value, AtomicLong::get)
                .description(description)
                .tag("partition", Integer.toString(partition))
                .register(registry);
        return value;
    }

    private Counter counter(VerdictTags tags) {
        return verdicts.withTags(
                "protocol",
                tags.protocol().name(),
                "verdict",
                tags.verdict().name(),
                "stage",
                tags.stage().name(),
                "code",
                tags.code() == null ? NONE : tags.code());
    }

    private record VerdictTags(Protocol protocol, Verdict verdict, Stage stage, String code) {}

    @Override
    public void visible(Instant timestamp) {
        if (timestamp.isAfter(since)) {
            Duration age = Duration.between(timestamp, Instant.now());
            latency.record(age.isNegative() ? Duration.ZERO : age);
        }
    }

    @Override
    public void counted(SpanListener.Result result, int number) {
        spans.get(result).increment(number);
    }

    void count(Code code) {
        problems.get(code).increment();
    }

    /**
     * Returns all metrics in the text format of Prometheus. If stores are unavailable, the accounting is the last read.
     */
    public String scrape() {
        refresh();
        return prometheus.scrape();
    }

    /** Reads the current values of gauges. If stores are unavailable, those of the accounting are the last read. */
    public void refresh() {
        views.ifPresent(this::readLags);
        monitor.flatMap(ProgressMonitor::progress).ifPresent(this::readProgress);
        try {
            views.map(LocalViews::active).ifPresent(this::readAccounting);
            views.map(LocalViews::active).ifPresent(this::readHeads);
        } catch (ViewsUnavailableException e) {
            // The other metrics show the reason; a scrape must not fail.
        }
    }

    private void readHeads(Views local) {
        List<AuditHead> heads =
                local.heads().stream().filter(head -> head.getPartition() >= 0).toList();
        set(headSizes, heads, Metrics::tags, AuditHead::getSize);
        long now = System.currentTimeMillis();
        set(
                headAges,
                heads.stream()
                        .filter(head -> !LogNotes.signersOf(head).isEmpty())
                        .toList(),
                Metrics::tags,
                head -> Math.max(
                        0, TimeUnit.MILLISECONDS.toSeconds(now - head.getTime().toEpochMilli())));
    }

    private static Tags tags(AuditHead head) {
        return Tags.of("partition", Integer.toString(head.getPartition()));
    }

    private void readLags(LocalViews local) {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        for (String store : ViewStores.PARTITIONED) {
            SortedMap<Integer, Long> partitions = local.lags(store);
            try {
                local.readable(store).forEach(partition -> partitions.put(partition, 0L));
            } catch (ViewsUnavailableException e) {
                // No partition is readable; report the measured lags of all.
            }
            partitions.forEach((partition, changes) ->
                    rows.add(MultiGauge.Row.of(Tags.of("store", store, "partition", partition.toString()), changes)));
        }
        lags.register(rows, true);
    }

    private void readProgress(SourceProgress progress) {
        set(sourceLags, progress.partitions(), Metrics::tags, SourceProgress.Partition::lag);
        set(
                stalls,
                progress.partitions(),
                Metrics::tags,
                source -> source.stall().map(SourceProgress.Stall::seconds).orElse(0L));
    }

    private static Tags tags(SourceProgress.Partition source) {
        return Tags.of("application", source.application())
                .and("topic", source.topic(), "partition", Integer.toString(source.partition()));
    }

    private void readAccounting(Views accounts) {
        List<Account> all = Accounts.of(accounts.accounting(), monitor.flatMap(ProgressMonitor::progress));
        set(unread, all, Metrics::tags, account -> account.counts().unread());
        set(reread, all, Metrics::tags, account -> account.counts().reread());
        set(balanced, all, Metrics::tags, account -> account.balanced() ? 1 : 0);
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        for (Account account : all) {
            Counts counts = account.counts();
            Map.of(
                            "inputs", counts.inputs(),
                            "accepted", counts.accepted(),
                            "rejected", counts.rejected(),
                            "flagged", counts.flagged(),
                            "undecodable", counts.undecodable(),
                            "parked", counts.parked())
                    .forEach((name, count) ->
                            rows.add(MultiGauge.Row.of(tags(account).and("count", name), count)));
        }
        records.register(rows, true);
    }

    private static Tags tags(Account account) {
        return Tags.of(
                "topic",
                account.input().topic(),
                "partition",
                Integer.toString(account.input().partition()));
    }

    private static <T> void set(MultiGauge gauge, List<T> items, Function<T, Tags> tags, ToLongFunction<T> value) {
        gauge.register(
                items.stream()
                        .<MultiGauge.Row<?>>map(item -> MultiGauge.Row.of(tags.apply(item), value.applyAsLong(item)))
                        .toList(),
                true);
    }

    @Override
    public void close() {
        kafka.forEach(KafkaStreamsMetrics::close);
        gc.close();
        refreshing.shutdownNow();
        registry.close();
        prometheus.close();
    }
}
