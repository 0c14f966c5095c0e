package dev.parley.server.metrics;

import dev.parley.topology.views.store.ViewsUnavailableException;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.apache.kafka.common.utils.ThreadUtils;
import org.apache.kafka.streams.KafkaStreams;

/**
 * The registry of the metrics that Prometheus scrapes, with those of the JVM and of Kafka Streams. Each component
 * registers its own meters.
 */
public final class Metrics implements AutoCloseable {

    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    /** Interval of looking for metrics of new tasks and clients. */
    private static final Duration REFRESH_INTERVAL = Duration.ofSeconds(10);

    /** The metrics of Kafka that the documentation, the dashboard and the alerts name. */
    private static final Set<String> KAFKA = Set.of(
            "kafka.consumer.coordinator.last.rebalance.seconds.ago",
            "kafka.consumer.coordinator.rebalance.total",
            "kafka.producer.topic.record.send.total",
            "kafka.stream.alive.stream.threads",
            "kafka.stream.failed.stream.threads",
            "kafka.stream.state.block.cache.usage",
            "kafka.stream.state.estimate.table.readers.mem",
            "kafka.stream.state.updater.active.restoring.tasks",
            "kafka.stream.state.updater.restore.records.rate",
            "kafka.stream.task.restore.remaining.records.total");

    private final PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    /** The registry of all meters: Prometheus alone, or a composite of it and of another registry. */
    private final MeterRegistry registry;

    private final JvmGcMetrics gc = new JvmGcMetrics();
    private final List<KafkaStreamsMetrics> kafka = new ArrayList<>();
    private final List<Runnable> readings = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService refreshing =
            Executors.newSingleThreadScheduledExecutor(ThreadUtils.createThreadFactory("parley-metrics", true));

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
        List.of(new JvmMemoryMetrics(), new JvmThreadMetrics(), new ProcessorMetrics(), new UptimeMetrics(), gc)
                .forEach(binder -> binder.bindTo(registry));
    }

    /** Returns the registry, for meters that change with each event. */
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

    /** Registers gauges whose number changes. {@link #set} sets them, in a reading of {@link #onRefresh}. */
    public MultiGauge gauges(String name, String description) {
        return MultiGauge.builder(name).description(description).register(registry);
    }

    /** Registers gauges of seconds; otherwise like {@link #gauges}. */
    public MultiGauge secondsGauges(String name, String description) {
        return MultiGauge.builder(name)
                .description(description)
                .baseUnit("seconds")
                .register(registry);
    }

    /** Replaces the gauges by one for each item. */
    public static <T> void set(MultiGauge gauges, List<T> items, Function<T, Tags> tags, ToLongFunction<T> value) {
        gauges.register(
                items.stream()
                        .<MultiGauge.Row<?>>map(item -> MultiGauge.Row.of(tags.apply(item), value.applyAsLong(item)))
                        .toList(),
                true);
    }

    /**
     * Adds a reading of current values, which runs before each scrape.
     *
     * @param reading sets gauges; they keep their values if it throws a {@link ViewsUnavailableException}
     */
    public void onRefresh(Runnable reading) {
        readings.add(reading);
    }

    /**
     * Adds the metrics of Kafka Streams.
     *
     * @param application its name, the value of the tag "application"
     */
    public void watch(String application, KafkaStreams streams) {
        KafkaStreamsMetrics binder = new KafkaStreamsMetrics(
                streams, List.of(Tag.of("application", application)), refreshing, REFRESH_INTERVAL);
        binder.bindTo(registry);
        kafka.add(binder);
    }

    /**
     * Returns all metrics in the text format of Prometheus. If stores are unavailable, their values are the last read.
     */
    public String scrape() {
        refresh();
        return prometheus.scrape();
    }

    /** Reads the current values of gauges. */
    public void refresh() {
        for (Runnable reading : readings) {
            try {
                reading.run();
            } catch (ViewsUnavailableException e) {
                // The other metrics show the reason; a scrape must not fail.
            }
        }
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
