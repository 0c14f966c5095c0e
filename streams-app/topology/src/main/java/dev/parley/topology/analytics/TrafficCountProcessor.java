package dev.parley.topology.analytics;

import dev.parley.topology.kafka.SliceScheduler;
import java.time.Duration;
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

/**
 * Adds up the counts of all tasks by dimensions and minute. It forwards each row once, when the minute and the grace
 * period are over in stream time; or by the clock, if no counts have arrived for a while. Later counts are late, and
 * part of the current minute.
 */
public final class TrafficCountProcessor extends ContextualProcessor<String, long[], String, SpecificRecord> {
    private static final String METRICS_GROUP = "stream-traffic-metrics";

    /** Maximum number of counts in one slice. */
    public static final int SLICE = 1_000;

    private static final Duration PAUSE_CHECK = Duration.ofSeconds(1);

    private final TrafficSettings settings;
    private final long graceMs;
    private MinuteCounts counts;
    private Sensor late;
    private SliceScheduler slices;
    private SliceScheduler pauses;

    /** Stream time, or the later time to which the clock closed minutes. */
    private long now;

    /** Time without counts, while the task ran. */
    private long idleMs;

    /** Creates a processor. */
    public TrafficCountProcessor(TrafficSettings settings) {
        this.settings = settings;
        this.graceMs = settings.grace().toMillis();
    }

    @Override
    public void init(ProcessorContext<String, SpecificRecord> context) {
        super.init(context);
        counts = new MinuteCounts(context.getStateStore(TrafficTopology.STORE), settings.maxKeys());
        // Kafka Streams restores it before it initializes processors.
        now = context.currentStreamTimeMs();
        String task = context.taskId().toString();
        late = context.metrics().addSensor("traffic-late-" + task, Sensor.RecordingLevel.INFO);
        Map<String, String> tags = Map.of("thread-id", Thread.currentThread().getName(), "traffic-id", task);
        late.add(new MetricName("late-total", METRICS_GROUP, "Number of late messages", tags), new CumulativeSum());
        late.add(
                new MetricName("late-rate", METRICS_GROUP, "Late messages per second", tags),
                new Rate(new WindowedSum()));
        slices = new SliceScheduler(context, SliceScheduler.INTERVAL, time -> forwardDue());
        slices.start();
        idleMs = 0;
        pauses = new SliceScheduler(context, PAUSE_CHECK, this::closeInPause);
        pauses.start();
    }

    @Override
    public void process(Record<String, long[]> record) {
        pauses.start();
        long start = MinuteCounts.minute(record.timestamp());
        now = Math.max(Math.max(now, counts.closed()), record.timestamp());
        idleMs = 0;
        boolean isLate = closes(start) <= now;
        if (isLate && CountKind.of(record.key()) == CountKind.TRAFFIC) {
            late.record(record.value()[0]);
        }
        counts.add(isLate ? MinuteCounts.minute(now) : start, isLate, record.key(), record.value());
        if (forwardDue()) {
            slices.start();
        }
    }

    /**
     * Closes the open minutes if their time is over by the clock too. Not those after them: if old records are being
     * read again, a pause must not make the next minutes late. Returns whether there are open minutes.
     */
    private boolean closeInPause(long time) {
        // A process that was suspended has not read what waits for it.
        idleMs += PAUSE_CHECK.toMillis();
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
            context().forward(new Record<>(closed.rowKey(), closed.row(), closed.start() + MinuteCounts.WINDOW_MS));
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
