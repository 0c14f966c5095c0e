package dev.parley.server.telemetry;

import dev.parley.topology.config.ParleyConfig;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * Settings of spans and metrics over OTLP.
 *
 * @param endpoint URL of the collector, without a slash at its end
 * @param service name of the deployment: its application ID
 * @param redactions topic of the redaction requests, which get no spans
 * @param instance name of this instance, unique
 * @param traces whether spans are sent
 * @param metrics whether metrics are sent
 * @param ratio share of the messages without a trace context that get a span, from 0 to 1
 * @param rate maximum spans per second
 * @param queue maximum spans that wait
 * @param interval interval at which metrics are sent
 * @param timeout maximum time for one request
 */
public record OtlpSettings(
        String endpoint,
        String service,
        String redactions,
        String instance,
        boolean traces,
        boolean metrics,
        double ratio,
        int rate,
        int queue,
        Duration interval,
        Duration timeout) {

    /** Returns the settings of a configuration; empty without a collector. */
    public static Optional<OtlpSettings> of(ParleyConfig config) {
        String endpoint = config.getString(OtlpKeys.ENDPOINT);
        if (endpoint == null) {
            return Optional.empty();
        }
        return Optional.of(new OtlpSettings(
                endpoint.endsWith("/") ? endpoint.substring(0, endpoint.length() - 1) : endpoint,
                config.getString(ParleyConfig.APPLICATION_ID),
                config.topics().redaction(),
                UUID.randomUUID().toString(),
                config.getList(OtlpKeys.SIGNALS).contains("traces"),
                config.getList(OtlpKeys.SIGNALS).contains("metrics"),
                config.getDouble(OtlpKeys.RATIO),
                config.getInt(OtlpKeys.RATE),
                config.getInt(OtlpKeys.QUEUE),
                Duration.ofMillis(config.getInt(OtlpKeys.INTERVAL_MS)),
                Duration.ofMillis(config.getInt(OtlpKeys.TIMEOUT_MS))));
    }
}
