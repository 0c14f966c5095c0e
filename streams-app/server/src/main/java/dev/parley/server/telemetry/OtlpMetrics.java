package dev.parley.server.telemetry;

import io.micrometer.core.instrument.Clock;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import java.time.Duration;
import java.util.Map;

/** Sends the metrics that are registered with it over OTLP at an interval, on a thread of its own. */
public final class OtlpMetrics extends OtlpMeterRegistry {
    /** Null until {@link #refreshWith}; without an initializer, which would run after the constructor of the base. */
    private volatile Runnable refresh;

    /** Creates the registry and starts its thread. */
    public OtlpMetrics(OtlpSettings settings) {
        super(config(settings), Clock.SYSTEM);
    }

    /** Sets what reads the current values of gauges before they are sent. */
    public void refreshWith(Runnable reading) {
        refresh = reading;
    }

    @Override
    protected void publish() {
        Runnable reading = refresh;
        if (reading != null) {
            reading.run();
        }
        super.publish();
    }

    private static OtlpConfig config(OtlpSettings settings) {
        return new OtlpConfig() {
            @Override
            public String get(String key) {
                return null;
            }

            @Override
            public String url() {
                return settings.endpoint() + "/v1/metrics";
            }

            @Override
            public Duration step() {
                return settings.interval();
            }

            @Override
            @SuppressWarnings("deprecation")
            public Duration connectTimeout() {
                return settings.timeout();
            }

            @Override
            @SuppressWarnings("deprecation")
            public Duration readTimeout() {
                return settings.timeout();
            }

            @Override
            public Map<String, String> resourceAttributes() {
                return Map.of("service.name", settings.service(), "service.instance.id", settings.instance());
            }
        };
    }
}
