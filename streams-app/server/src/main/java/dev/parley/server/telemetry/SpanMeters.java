package dev.parley.server.telemetry;

import dev.parley.server.metrics.Metrics;
import io.micrometer.core.instrument.Counter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ObjIntConsumer;

/** Counts spans by result. Thread-safe. */
public final class SpanMeters implements ObjIntConsumer<SpanMeters.Result> {
    private final Map<Result, Counter> spans;

    public SpanMeters(Metrics metrics) {
        spans = metrics.counters(
                "parley.spans",
                "Spans of verdicts by result",
                "result",
                List.of(Result.values()),
                result -> result.name().toLowerCase(Locale.ROOT));
    }

    /** What became of a span. */
    public enum Result {
        /** Recorded, and queued unless the queue was full. */
        RECORDED,
        /** Sampled, but not recorded because of {@code otlp.traces.rate}. */
        LIMITED,
        /** Accepted by the collector. */
        EXPORTED,
        /** Not accepted by the collector; dropped. */
        FAILED
    }

    @Override
    public void accept(Result result, int number) {
        spans.get(result).increment(number);
    }
}
