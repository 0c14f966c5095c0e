package dev.parley.topology.traffic;

import dev.parley.avro.TrafficCount;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Counts records by dimensions and minute. It forwards each count once, when the minute and the grace period are over
 * in stream time. A later record counts as late in the current minute. Kafka Streams' windows are unsuitable: their
 * store expires by stream time, so it would drop the last minute before a pause longer than its retention.
 */
public final class TrafficCountProcessor extends ContextualProcessor<String, byte[], String, TrafficCount> {
    private static final long WINDOW_MS = TrafficTopology.WINDOW.toMillis();
    private static final int MINUTE_DIGITS = 13;
    private static final Duration PUNCTUATION_INTERVAL = Duration.ofMillis(100);

    /** Maximum number of counts in one slice. */
    public static final int SLICE = 1_000;

    private final long graceMs;
    private KeyValueStore<String, Long> counts;
    private Sensor late;

    /** Stream time at which the oldest open minute closes. */
    private long nextClose;

    public TrafficCountProcessor(Duration grace) {
        this.graceMs = grace.toMillis();
    }

    @Override
    public void init(ProcessorContext<String, TrafficCount> context) {
        super.init(context);
        counts = context.getStateStore(TrafficTopology.STORE);
        late = context.metrics()
                .addRateTotalSensor("traffic", context.taskId().toString(), "late", Sensor.RecordingLevel.INFO);
        // The store may be restored later; the first record reads it.
        nextClose = 0;
        context.schedule(
                PUNCTUATION_INTERVAL,
                PunctuationType.WALL_CLOCK_TIME,
                time -> forwardDue(context.currentStreamTimeMs()));
    }

    @Override
    public void process(Record<String, byte[]> record) {
        long start = record.timestamp() - record.timestamp() % WINDOW_MS;
        long now = context().currentStreamTimeMs();
        if (closes(start) <= now) {
            late.record();
            count(now - now % WINDOW_MS, TrafficDimensions.late(record.key()));
        } else {
            count(start, record.key());
        }
        forwardDue(now);
    }

    private void forwardDue(long now) {
        if (nextClose <= now) {
            forwardSlice(now);
        }
    }

    private void count(long start, String dimensions) {
        String key = key(start) + dimensions;
        Long counted = counts.get(key);
        counts.put(key, counted == null ? 1 : counted + 1);
        nextClose = Math.min(nextClose, closes(start));
    }

    /** Forwards a slice of the counts of closed minutes, oldest first. The next record or punctuation continues. */
    private void forwardSlice(long now) {
        List<KeyValue<String, Long>> closed = new ArrayList<>();
        nextClose = Long.MAX_VALUE;
        try (KeyValueIterator<String, Long> open = counts.all()) {
            while (open.hasNext()) {
                KeyValue<String, Long> entry = open.next();
                if (closed.size() == SLICE || closes(start(entry.key)) > now) {
                    nextClose = closes(start(entry.key));
                    break;
                }
                closed.add(entry);
            }
        }
        for (KeyValue<String, Long> entry : closed) {
            counts.delete(entry.key);
            String dimensions = entry.key.substring(MINUTE_DIGITS);
            TrafficCount count = count(dimensions, Instant.ofEpochMilli(start(entry.key)), entry.value);
            context()
                    .forward(
                            new Record<>(dimensions, count, count.getWindowEnd().toEpochMilli()));
        }
    }

    private long closes(long start) {
        return start + WINDOW_MS + graceMs;
    }

    /** Keys sort by minute: thirteen digits suffice until the year 2286. */
    private static String key(long start) {
        return String.format("%0" + MINUTE_DIGITS + "d", start);
    }

    private static long start(String key) {
        return Long.parseLong(key.substring(0, MINUTE_DIGITS));
    }

    private static TrafficCount count(String key, Instant start, long messages) {
        TrafficDimensions dimensions = TrafficDimensions.of(key);
        return TrafficCount.newBuilder()
                .setWindowStart(start)
                .setWindowEnd(start.plus(TrafficTopology.WINDOW))
                .setNamespace(dimensions.namespace())
                .setProtocol(dimensions.protocol())
                .setPerformative(dimensions.performative())
                .setSender(dimensions.sender())
                .setVerdict(dimensions.verdict())
                .setMessages(messages)
                .setLate(dimensions.late() ? Boolean.TRUE : null)
                .build();
    }
}
