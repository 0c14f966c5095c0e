package dev.parley.server.metrics;

import dev.parley.avro.AuditHead;
import dev.parley.log.LogNotes;
import dev.parley.topology.views.ApprovalView;
import dev.parley.topology.views.Views;
import dev.parley.topology.views.ViewsListener;
import dev.parley.topology.views.store.ViewStores;
import dev.parley.topology.views.store.ViewsUnavailableException;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Meters of the views: time until records are visible, lags, heads of the audit logs, and unapproved definitions. */
public final class ViewMeters implements ViewsListener {
    private static final int[] LATENCY_BUCKETS_MS = {
        50, 100, 150, 200, 300, 400, 500, 750, 1_000, 1_500, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000
    };

    private final Metrics metrics;
    private final Timer latency;
    private final Instant since = Instant.now();

    public ViewMeters(Metrics metrics) {
        this.metrics = metrics;
        latency = Timer.builder("parley.latency")
                .description("From the timestamp of an input record until it is visible,"
                        + " for records after the start of this instance")
                .serviceLevelObjectives(IntStream.of(LATENCY_BUCKETS_MS)
                        .mapToObj(Duration::ofMillis)
                        .toArray(Duration[]::new))
                .register(metrics.registry());
    }

    @Override
    public void visible(Instant timestamp) {
        if (timestamp.isAfter(since)) {
            Duration age = Duration.between(timestamp, Instant.now());
            latency.record(age.isNegative() ? Duration.ZERO : age);
        }
    }

    /** Adds gauges of the views of this instance. */
    public void watch(Views local) {
        MultiGauge lags = metrics.gauges(
                "parley.views.lag", "Lag of a view partition on this instance in changes; 0 if owned and readable");
        MultiGauge headSizes = metrics.gauges("parley.audit.head.size", "Records in the last head of an audit log");
        MultiGauge headAges =
                metrics.secondsGauges("parley.audit.head.age", "Age of the last signed head of an audit log");
        MultiGauge unapproved = metrics.gauges(
                "parley.definitions.unapproved",
                "Audit records with a changed definition and no approval, at most " + ApprovalView.MAX_COUNT);
        metrics.onRefresh(() ->
                Metrics.set(unapproved, List.of(local.approvals().count()), any -> Tags.empty(), Long::longValue));
        metrics.onRefresh(() -> lags.register(lags(local), true));
        metrics.onRefresh(() -> readHeads(local, headSizes, headAges));
    }

    private static void readHeads(Views local, MultiGauge sizes, MultiGauge ages) {
        List<AuditHead> heads = local.log().heads().stream()
                .filter(head -> head.getPartition() >= 0)
                .toList();
        Metrics.set(sizes, heads, ViewMeters::tags, AuditHead::getSize);
        long now = System.currentTimeMillis();
        Metrics.set(
                ages,
                heads.stream()
                        .filter(head -> !LogNotes.signersOf(head).isEmpty())
                        .toList(),
                ViewMeters::tags,
                head -> Math.max(
                        0, TimeUnit.MILLISECONDS.toSeconds(now - head.getTime().toEpochMilli())));
    }

    private static Tags tags(AuditHead head) {
        return Tags.of("partition", Integer.toString(head.getPartition()));
    }

    private static List<MultiGauge.Row<?>> lags(Views local) {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        for (String store : ViewStores.PARTITIONED) {
            SortedMap<Integer, Long> partitions = local.lags(store);
            try {
                local.readable(store).forEach(partition -> partitions.put(partition, 0L));
            } catch (ViewsUnavailableException e) {
                // No partition is readable; report the measured lags of all.
            }
            partitions.forEach((partition, changes) ->
                    rows.add(MultiGauge.Row.of(Tags.of("store", store, "partition", partition.toString()), changes)));
        }
        return rows;
    }
}
