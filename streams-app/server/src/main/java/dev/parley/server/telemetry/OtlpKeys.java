package dev.parley.server.telemetry;

import static org.apache.kafka.common.config.ConfigDef.Range.between;

import dev.parley.topology.config.KeyDefinitions;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.config.Validators;
import java.util.UUID;
import org.apache.kafka.common.config.ConfigDef.ValidList;

/** Keys of {@link dev.parley.topology.config.ParleyConfig} for spans and metrics over OTLP. */
public final class OtlpKeys {
    public static final String ENDPOINT = "otlp.endpoint";
    public static final String SIGNALS = "otlp.signals";
    public static final String RATIO = "otlp.traces.ratio";
    public static final String RATE = "otlp.traces.rate";
    public static final String QUEUE = "otlp.traces.queue";
    public static final String INTERVAL_MS = "otlp.metrics.interval.ms";
    public static final String TIMEOUT_MS = "otlp.timeout.ms";

    /** Name of this process in spans and metrics. */
    static final String INSTANCE = UUID.randomUUID().toString();

    private OtlpKeys() {}

    public static void addTo(KeyDefinitions definitions) {
        definitions
                .text(ENDPOINT, Validators.optionalHttpBase())
                .doc("URL of an OpenTelemetry collector that receives OTLP over HTTP, such as http://127.0.0.1:4318. "
                        + "Parley sends spans to /v1/traces and metrics to /v1/metrics below it. Default: it sends "
                        + "neither.")
                .list(SIGNALS, "traces,metrics", ValidList.in(false, "traces", "metrics"))
                .doc("What is sent to otlp.endpoint: traces, metrics, or both.")
                .key(RATIO, 1.0, between(0, 1))
                .doc("Share of the messages without a valid traceparent that get a span. A message with one gets a "
                        + "span if the producer sampled it.")
                .key(RATE, 100, between(1, 100_000))
                .doc("Maximum spans per second of this instance, however many messages are sampled.")
                .key(QUEUE, 2_048, between(1, 1_000_000))
                .doc("Maximum spans that wait for the collector. Further ones are dropped; no message waits.")
                .key(INTERVAL_MS, 60_000, between(1_000, 3_600_000))
                .doc("Interval at which metrics are sent, in milliseconds.")
                .key(TIMEOUT_MS, 10_000, between(100, 60_000))
                .doc("Maximum time for one request to the collector, in milliseconds.");
    }

    /** Whether a configuration sends a signal: {@code traces} or {@code metrics}. */
    public static boolean sends(ParleyConfig config, String signal) {
        return config.getString(ENDPOINT) != null && config.getList(SIGNALS).contains(signal);
    }

    /** The URL of the collector for a signal. */
    static String url(ParleyConfig config, String signal) {
        String endpoint = config.getString(ENDPOINT);
        return (endpoint.endsWith("/") ? endpoint : endpoint + '/') + "v1/" + signal;
    }
}
