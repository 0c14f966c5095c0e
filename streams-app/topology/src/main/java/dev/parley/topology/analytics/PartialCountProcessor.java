package dev.parley.topology.analytics;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.OpenItem;
import dev.parley.topology.kafka.SliceScheduler;
import dev.parley.topology.topics.KafkaHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.metrics.stats.CumulativeSum;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Counts the audit records of one task by minute and dimensions, and follows their open items. It forwards its counts
 * when the task reads the first record of a later minute, and those of past minutes once a second, so few records reach
 * the repartition topic. The timestamp of forwarded counts is the start of their minute. It forwards the rows of open
 * items when they change.
 */
public final class PartialCountProcessor extends ContextualProcessor<String, AuditRecord, String, PartialResult> {
    private static final Duration FLUSH_INTERVAL = Duration.ofSeconds(1);
    private static final String METRICS_GROUP = "stream-traffic-metrics";

    /** Header with the time of the verdict. */
    private static final String VERDICT_TIME = "ce_time";

    /** Maximum number of idle conversations that are dropped at once. */
    private static final int IDLE_SLICE = 100;

    /** Nothing is to be forwarded. */
    private static final long NOTHING = Long.MIN_VALUE;

    private final TrafficSettings settings;
    private MinuteCounts partials;
    private OpenItemStore items;
    private Sensor evicted;
    private SliceScheduler slices;
    private SliceScheduler pastMinutes;

    /** Start of the latest minute of a record. */
    private long latest;

    /** Start of the last minute whose counts are to be forwarded. */
    private long flushTo;

    /** Creates a processor. */
    public PartialCountProcessor(TrafficSettings settings) {
        this.settings = settings;
    }

    @Override
    public void init(ProcessorContext<String, PartialResult> context) {
        super.init(context);
        partials = new MinuteCounts(context.getStateStore(TrafficTopology.PARTIALS), settings.maxKeys());
        items = new OpenItemStore(
                context.getStateStore(TrafficTopology.OPEN_ITEMS),
                settings.maxOpenItems(),
                settings.idleMs(),
                this::forwardItem);
        latest = NOTHING;
        flushTo = NOTHING;
        String task = context.taskId().toString();
        evicted = context.metrics().addSensor("traffic-open-items-" + task, Sensor.RecordingLevel.INFO);
        Map<String, String> tags = Map.of("thread-id", Thread.currentThread().getName(), "traffic-id", task);
        evicted.add(
                new MetricName(
                        "open-items-evicted-total",
                        METRICS_GROUP,
                        "Number of open items that were dropped because of traffic.open.max",
                        tags),
                new CumulativeSum());
        slices = new SliceScheduler(context, SliceScheduler.INTERVAL, time -> forwardSlice());
        pastMinutes = new SliceScheduler(context, FLUSH_INTERVAL, time -> {
            flush(MinuteCounts.minute(time) - MinuteCounts.WINDOW_MS);
            return items.expire(context.currentStreamTimeMs(), IDLE_SLICE) || partials.oldest() != Long.MAX_VALUE;
        });
        pastMinutes.start();
    }

    @Override
    public void process(Record<String, AuditRecord> record) {
        pastMinutes.start();
        AuditRecord audit = record.value();
        long start = MinuteCounts.minute(record.timestamp());
        CountSink sink = (dimensions, counts) -> partials.add(start, false, dimensions.toKey(), counts);
        int dropped = items.follow(audit, record.timestamp(), sink);
        if (dropped > 0) {
            evicted.record(dropped);
        }
        if (audit.getRedaction() != null) {
            return;
        }
        MessageCounts.count(audit, sink);
        PatchCounts.count(audit, () -> parkedMs(record), sink);
        if (start > latest) {
            latest = start;
            flush(start);
        } else {
            forwardSlice();
        }
    }

    /** Returns the time from a message to its verdict, in milliseconds; 0 if the verdict has no valid time. */
    private static long parkedMs(Record<String, AuditRecord> record) {
        String time = KafkaHeaders.text(record.headers(), VERDICT_TIME);
        try {
            long verdict = time == null ? 0 : Math.min(Instant.parse(time).toEpochMilli(), System.currentTimeMillis());
            return Math.max(0, verdict - record.timestamp());
        } catch (DateTimeException | ArithmeticException e) {
            // Another client wrote to the audit topic.
            return 0;
        }
    }

    private void forwardItem(String key, OpenItem row) {
        context()
                .forward(new Record<>(
                        key, new PartialResult.Item(row), Math.max(0, context().currentStreamTimeMs())));
    }

    private void flush(long lastStart) {
        flushTo = Math.max(flushTo, lastStart);
        if (forwardSlice()) {
            slices.start();
        }
    }

    /** Forwards a slice of the counts to be forwarded. Returns whether more remains. */
    private boolean forwardSlice() {
        if (flushTo == NOTHING) {
            return false;
        }
        for (MinuteCounts.Entry partial : partials.remove(flushTo, TrafficCountProcessor.SLICE)) {
            context()
                    .forward(new Record<>(
                            partial.dimensions(), new PartialResult.Counts(partial.counts()), partial.start()));
        }
        if (partials.oldest() > flushTo) {
            flushTo = NOTHING;
        }
        return flushTo != NOTHING;
    }
}
