package dev.parley.server.telemetry;

import dev.parley.topology.config.ParleyConfig;
import io.micrometer.core.instrument.Clock;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import java.util.Map;

/** Sends the metrics that are registered with it over OTLP at an interval, on a thread of its own. */
public final class OtlpMetrics extends OtlpMeterRegistry {
    /** Null until {@link #refreshWith}; without an initializer, which would run after the constructor of the base. */
    private volatile Runnable refresh;

    /** Creates the registry and starts its thread. */
    public OtlpMetrics(ParleyConfig config) {
        super(settings(config), Clock.SYSTEM);
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

    private static OtlpConfig settings(ParleyConfig config) {
        String timeout = config.getInt(OtlpKeys.TIMEOUT_MS) + "ms";
        return Map.of(
                "otlp.url",
                OtlpKeys.url(config, "metrics"),
                "otlp.step",
                config.getInt(OtlpKeys.INTERVAL_MS) + "ms",
                "otlp.connectTimeout",
                timeout,
                "otlp.readTimeout",
                timeout,
                "otlp.resourceAttributes",
                "service.name=" + config.getString(ParleyConfig.APPLICATION_ID) + ",service.instance.id="
                        + OtlpKeys.INSTANCE)::get;
    }
}
