package dev.parley.server.telemetry;

import dev.parley.server.metrics.Metrics;
import io.micrometer.core.instrument.Counter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Counts spans by result. */
public final class SpanMeters implements SpanListener {

    private final Map<Result, Counter> spans;

    public SpanMeters(Metrics metrics) {
        spans = metrics.counters(
                "parley.spans",
                "Spans of verdicts by result",
                "result",
                List.of(Result.values()),
                result -> result.name().toLowerCase(Locale.ROOT));
    }

    @Override
    public void counted(Result result, int number) {
        spans.get(result).increment(number);
    }
}
