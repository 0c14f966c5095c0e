package dev.parley.server.health;

import dev.parley.json.model.AccountingReport.Counts;
import dev.parley.json.model.AccountingReport.Partition;
import dev.parley.server.metrics.Metrics;
import dev.parley.topology.kafka.UnreadableValues;
import dev.parley.topology.lifecycle.RestartLog;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** Meters of the progress of the applications, and of the accounting of their inputs. */
public final class ProgressMeters {

    private ProgressMeters() {}

    /** Adds meters of the lags, the stalls and the restarts of applications. */
    public static void addProgress(Metrics metrics, ProgressMonitor monitor) {
        monitor.restarts()
                .forEach((name, log) -> FunctionCounter.builder("parley.stream.restarts", log, RestartLog::total)
                        .description("Stream threads that failed and were restarted")
                        .tag("application", name)
                        .register(metrics.registry()));
        FunctionCounter.builder("parley.unreadable.values", monitor, any -> UnreadableValues.total())
                .description("Values of topics and changelogs that another client wrote and that cannot be read")
                .register(metrics.registry());
        MultiGauge lags = metrics.gauges(
                "parley.source.lag", "Offsets of a source partition that its application has not committed");
        MultiGauge stalls = metrics.secondsGauges(
                "parley.source.stalled",
                "Seconds without progress on a source partition with unread records; 0 below health.stalled.ms");
        MultiGauge held = metrics.secondsGauges(
                "parley.source.held", "Seconds for which an open transaction has held back a source partition, or 0");
        metrics.onRefresh(() -> monitor.progress()
                .map(SourceProgress::partitions)
                .ifPresent(partitions -> {
                    setStalls(held, partitions, stall -> stall.cause() == SourceProgress.Cause.OPEN_TRANSACTION);
                    Metrics.set(lags, partitions, ProgressMeters::tags, SourceProgress.Partition::lag);
                    setStalls(stalls, partitions, any -> true);
                }));
    }

    private static void setStalls(
            MultiGauge gauges, List<SourceProgress.Partition> partitions, Predicate<SourceProgress.Stall> counted) {
        ToLongFunction<SourceProgress.Partition> seconds = source -> source.stall()
                .filter(counted)
                .map(SourceProgress.Stall::seconds)
                .orElse(0L);
        Metrics.set(gauges, partitions, ProgressMeters::tags, seconds);
    }

    private static Tags tags(SourceProgress.Partition source) {
        return Tags.of("application", source.application())
                .and("topic", source.topic(), "partition", Integer.toString(source.partition()));
    }

    /**
     * Adds gauges of the accounting.
     *
     * @param progress returns the last measurement; empty if there was none
     */
    public static void addAccounting(Metrics metrics, Accounts accounts, Supplier<Optional<SourceProgress>> progress) {
        MultiGauge records = metrics.gauges("parley.accounting.records", "Records of an input partition by verdict");
        MultiGauge balanced = metrics.gauges(
                "parley.accounting.balanced",
                "1 if every record of an input partition was read and has a verdict, otherwise 0");
        MultiGauge unread = metrics.gauges(
                "parley.accounting.unread", "Offsets of an input partition that were deleted before they were read");
        MultiGauge reread =
                metrics.gauges("parley.accounting.reread", "Repeated records of an input partition that were skipped");
        metrics.onRefresh(() -> {
            List<Partition> inputs = accounts.report(progress.get()).partitions();
            setCounts(unread, inputs, Counts::unread);
            setCounts(reread, inputs, Counts::reread);
            setCounts(balanced, inputs, counts -> counts.balanced() ? 1 : 0);
            records.register(inputs.stream().flatMap(ProgressMeters::records).toList(), true);
        });
    }

    private static void setCounts(MultiGauge gauges, List<Partition> inputs, ToLongFunction<Counts> value) {
        Metrics.set(gauges, inputs, ProgressMeters::tags, input -> value.applyAsLong(input.counts()));
    }

    private static Stream<MultiGauge.Row<?>> records(Partition input) {
        Counts counts = input.counts();
        return Map.of(
                        "inputs", counts.inputs(),
                        "accepted", counts.accepted(),
                        "rejected", counts.rejected(),
                        "flagged", counts.flagged(),
                        "undecodable", counts.undecodable(),
                        "parked", counts.parked())
                .entrySet()
                .stream()
                .map(count -> MultiGauge.Row.of(tags(input).and("count", count.getKey()), count.getValue()));
    }

    private static Tags tags(Partition input) {
        return Tags.of("topic", input.topic(), "partition", Integer.toString(input.partition()));
    }
}
