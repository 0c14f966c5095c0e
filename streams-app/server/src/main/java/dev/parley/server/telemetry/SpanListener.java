package dev.parley.server.telemetry;

/** Receives numbers of spans, for metrics. Called concurrently; must be fast and must not throw. */
@FunctionalInterface
public interface SpanListener {

    /** What became of a span. */
    enum Result {
        /** Recorded, and queued unless the queue was full. */
        RECORDED,
        /** Sampled, but not recorded because of {@code otlp.traces.rate}. */
        LIMITED,
        /** Accepted by the collector. */
        EXPORTED,
        /** Not accepted by the collector; dropped. */
        FAILED
    }

    /**
     * Counts spans.
     *
     * @param result what became of them
     * @param spans their number, at least 1
     */
    void counted(Result result, int spans);
}
