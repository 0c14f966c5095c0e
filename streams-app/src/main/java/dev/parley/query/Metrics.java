package dev.parley.query;

import dev.parley.query.Balance.Counts;
import dev.parley.query.Balance.Input;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.streams.KafkaStreams;

/** What Prometheus scrapes: the metrics of Kafka Streams and of the JVM, and the accounting. */
public final class Metrics implements AutoCloseable {

    /** Content type of {@link #scrape}. */
    static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final List<AutoCloseable> bound = new ArrayList<>();
    private final MultiGauge records;
    private final MultiGauge balanced;
    private final Map<Problem.Code, Counter> problems = new EnumMap<>(Problem.Code.class);
    private final Optional<Views> views;

    private Metrics(Optional<Views> views) {
        this.views = views;
        for (Problem.Code code : Problem.Code.values()) {
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
                .description("1 when every record of an input partition became something, else 0")
                .register(registry);
    }

    /**
     * Metrics of these applications.
     *
     * @param streams applications of Kafka Streams by name; the name is the value of the tag "application"
     * @param views where the accounting is; empty in a process without views, whose metrics have no accounting
     */
    public static Metrics of(Map<String, KafkaStreams> streams, Optional<Views> views) {
        Metrics metrics = new Metrics(views);
        new JvmMemoryMetrics().bindTo(metrics.registry);
        new JvmThreadMetrics().bindTo(metrics.registry);
        new ProcessorMetrics().bindTo(metrics.registry);
        new UptimeMetrics().bindTo(metrics.registry);
        JvmGcMetrics gc = new JvmGcMetrics();
        gc.bindTo(metrics.registry);
        metrics.bound.add(gc);
        streams.forEach((name, application) -> {
            KafkaStreamsMetrics binder = new KafkaStreamsMetrics(application, List.of(Tag.of("application", name)));
            binder.bindTo(metrics.registry);
            metrics.bound.add(binder);
        });
        return metrics;
    }

    /** The registry, for meters of other parts of the application. */
    public PrometheusMeterRegistry registry() {
        return registry;
    }

    void count(Problem.Code code) {
        problems.get(code).increment();
    }

    /** Everything in Prometheus' text format. Without readable stores the accounting stands as it was read last. */
    String scrape() {
        try {
            views.ifPresent(this::readAccounting);
        } catch (ViewsUnavailable e) {
            // The other metrics say why; a scrape is no place to fail.
        }
        return registry.scrape();
    }

    private void readAccounting(Views accounts) {
        List<MultiGauge.Row<?>> recordRows = new ArrayList<>();
        List<MultiGauge.Row<?>> balancedRows = new ArrayList<>();
        for (Map.Entry<Input, Counts> entry :
                Balance.byInput(accounts.accounting()).entrySet()) {
            Tags input = Tags.of(
                    "topic",
                    entry.getKey().topic(),
                    "partition",
                    Integer.toString(entry.getKey().partition()));
            Counts counts = entry.getValue();
            recordRows.add(MultiGauge.Row.of(input.and("count", "inputs"), counts.inputs()));
            recordRows.add(MultiGauge.Row.of(input.and("count", "accepted"), counts.accepted()));
            recordRows.add(MultiGauge.Row.of(input.and("count", "rejected"), counts.rejected()));
            recordRows.add(MultiGauge.Row.of(input.and("count", "flagged"), counts.flagged()));
            recordRows.add(MultiGauge.Row.of(input.and("count", "undecodable"), counts.undecodable()));
            recordRows.add(MultiGauge.Row.of(input.and("count", "parked"), counts.parked()));
            balancedRows.add(MultiGauge.Row.of(input, counts.balanced() ? 1 : 0));
        }
        records.register(recordRows, true);
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
        registry.close();
    }
}
