package dev.parley.topology.analytics;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.OpenItem;
import dev.parley.topology.kafka.SliceScheduler;
import dev.parley.topology.kafka.UnreadableValues;
import dev.parley.topology.topics.ChainPartitioner;
import dev.parley.topology.topics.KafkaHeaders;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.metrics.stats.CumulativeSum;
import org.apache.kafka.common.metrics.stats.Rate;
import org.apache.kafka.common.metrics.stats.WindowedSum;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * Counts the audit records of a partition by minute and dimensions, and follows their open items. It forwards each row
 * of counts once, when the minute and the grace period are over in stream time; or by the clock, if no records have
 * arrived for a while. Later messages are late, and part of the current minute. It forwards the rows of open items when
 * they change.
 */
public final class TrafficCountProcessor extends ContextualProcessor<String, AuditRecord, String, SpecificRecord> {
    private static final String METRICS_GROUP = "stream-traffic-metrics";

    /** Header with the time of the verdict. */
    private static final String VERDICT_TIME = "ce_time";

    /** Maximum number of rows in one slice. */
    public static final int SLICE = 1_000;

    /** Maximum number of idle conversations that are dropped at once. */
    private static final int IDLE_SLICE = 100;

    private static final Duration CLOCK_INTERVAL = Duration.ofSeconds(1);

    private final int partitions;
    private final TrafficSettings settings;
    private final long graceMs;
    private MinuteCounts counts;
    private OpenItemStore items;
    private Sensor late;
    private Sensor evicted;
    private SliceScheduler slices;
    private SliceScheduler clock;

    /** Stream time, or the later time to which the clock closed minutes. */
    private long now;

    /** Time without records, while the task ran. */
    private long idleMs;

    /** @param partitions number of partitions of the audit topic */
    public TrafficCountProcessor(int partitions, TrafficSettings settings) {
        this.partitions = partitions;
        this.settings = settings;
        this.graceMs = settings.grace().toMillis();
    }

    @Override
    public void init(ProcessorContext<String, SpecificRecord> context) {
        super.init(context);
        counts = new MinuteCounts(context.getStateStore(TrafficTopology.COUNTS), settings.maxKeys());
        items = new OpenItemStore(
                context.getStateStore(TrafficTopology.OPEN_ITEMS),
                settings.maxOpenItems(),
                settings.items(),
                this::forwardItem);
        // Kafka Streams restores it before it initializes processors.
        now = context.currentStreamTimeMs();
        String task = context.taskId().toString();
        Map<String, String> tags = Map.of("thread-id", Thread.currentThread().getName(), "traffic-id", task);
        late = context.metrics().addSensor("traffic-late-" + task, Sensor.RecordingLevel.INFO);
        late.add(new MetricName("late-total", METRICS_GROUP, "Number of late messages", tags), new CumulativeSum());
        late.add(
                new MetricName("late-rate", METRICS_GROUP, "Late messages per second", tags),
                new Rate(new WindowedSum()));
        evicted = context.metrics().addSensor("traffic-open-items-" + task, Sensor.RecordingLevel.INFO);
        evicted.add(
                new MetricName(
                        "open-items-evicted-total",
                        METRICS_GROUP,
                        "Number of open items that were dropped because of traffic.open.max",
                        tags),
                new CumulativeSum());
        slices = new SliceScheduler(context, SliceScheduler.INTERVAL, time -> forwardDue());
        slices.start();
        idleMs = 0;
        clock = new SliceScheduler(context, CLOCK_INTERVAL, time -> expireItems() | closeInPause(time));
        clock.start();
    }

    @Override
    public void process(Record<String, AuditRecord> record) {
        AuditRecord audit = record.value();
        if (audit == null) {
            return;
        }
        if (!ChainPartitioner.isPlaced(audit.getChain(), context().recordMetadata(), partitions)) {
            RecordMetadata place = context().recordMetadata().orElseThrow();
            UnreadableValues.report(
                    place.topic(),
                    place.partition(),
                    place.offset(),
                    audit.getChain().getBytes(StandardCharsets.UTF_8),
                    "another partition has its chain",
                    "counts lack it");
            return;
        }
        clock.start();
        idleMs = 0;
        now = Math.max(Math.max(now, counts.closed()), record.timestamp());
        long start = MinuteCounts.minute(record.timestamp());
        boolean isLate = closes(start) <= now;
        long minute = isLate ? MinuteCounts.minute(now) : start;
        CountSink sink = (dimensions, numbers) -> counts.add(minute, isLate, dimensions.toKey(), numbers);
        int dropped = items.follow(audit, record.timestamp(), sink);
        if (dropped > 0) {
            evicted.record(dropped);
        }
        if (audit.getRedaction() == null) {
            MessageCounts.count(audit, sink);
            PatchCounts.count(audit, () -> parkedMs(record), sink);
            if (isLate) {
                late.record();
            }
        }
        if (forwardDue()) {
            slices.start();
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
                .forward(
                        new Record<>(key, row, Math.max(0, context().currentStreamTimeMs())),
                        TrafficTopology.OPEN_ITEM_SINK);
    }

    /** Ends items that are idle, in the current minute, which stays open. Returns whether there may be more. */
    private boolean expireItems() {
        now = Math.max(now, counts.closed());
        CountSink sink =
                (dimensions, numbers) -> counts.add(MinuteCounts.minute(now), false, dimensions.toKey(), numbers);
        return items.expire(context().currentStreamTimeMs(), IDLE_SLICE, sink);
    }

    /**
     * Closes the open minutes if their time is over by the clock too. Not those after them: if old records are being
     * read again, a pause must not make the next minutes late. Returns whether there are open minutes.
     */
    private boolean closeInPause(long time) {
        // A process that was suspended has not read what waits for it.
        idleMs += CLOCK_INTERVAL.toMillis();
        long newest = counts.newest();
        if (newest != Long.MIN_VALUE
                && idleMs >= settings.pause().toMillis()
                && time >= closes(newest)
                && closes(newest) > now) {
            now = closes(newest);
            counts.close(now);
            if (forwardDue()) {
                slices.start();
            }
        }
        return counts.newest() != Long.MIN_VALUE;
    }

    /** Forwards a slice of the rows of closed minutes, oldest first. Returns whether more remains. */
    private boolean forwardDue() {
        if (!isDue()) {
            return false;
        }
        for (MinuteCounts.Entry closed : counts.remove(now - MinuteCounts.WINDOW_MS - graceMs, SLICE)) {
            // Other partitions may have rows with the same dimensions.
            String key = context().taskId().partition() + "|" + closed.rowKey();
            context()
                    .forward(
                            new Record<>(key, closed.row(), closed.start() + MinuteCounts.WINDOW_MS),
                            TrafficTopology.sink(Dimensions.statisticOf(closed.dimensions())));
        }
        return isDue();
    }

    private boolean isDue() {
        long oldest = counts.oldest();
        return oldest != Long.MAX_VALUE && closes(oldest) <= now;
    }

    private long closes(long start) {
        return start + MinuteCounts.WINDOW_MS + graceMs;
    }
}
