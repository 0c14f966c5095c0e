package dev.parley.server.telemetry;

import dev.parley.server.telemetry.SpanMeters.Result;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ObjIntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts the spans that the collector accepted and those that it did not, and logs when that changes. */
final class CountingExporter implements SpanExporter {
    private static final Logger LOG = LoggerFactory.getLogger(CountingExporter.class);

    private final SpanExporter exporter;
    private final ObjIntConsumer<Result> results;
    private final AtomicBoolean failing = new AtomicBoolean();

    CountingExporter(SpanExporter exporter, ObjIntConsumer<Result> results) {
        this.exporter = exporter;
        this.results = results;
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        int number = spans.size();
        CompletableResultCode result = exporter.export(spans);
        result.whenComplete(() -> {
            results.accept(result.isSuccess() ? Result.EXPORTED : Result.FAILED, number);
            if (failing.compareAndSet(result.isSuccess(), !result.isSuccess())) {
                log(result);
            }
        });
        return result;
    }

    private static void log(CompletableResultCode result) {
        if (result.isSuccess()) {
            LOG.info("The collector accepts spans again.");
        } else {
            Throwable cause = result.getFailureThrowable();
            LOG.warn(
                    "The collector at otlp.endpoint does not accept spans, which are dropped: {}",
                    cause == null ? "no reason given" : cause.toString());
        }
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }
}
