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
 * Counts records by kind and minute, and forwards a count, once, when its minute and the grace are over in the time of
 * the stream. What comes later is counted as late in the minute in which it comes. The windows of Kafka Streams do not
 * serve: their store forgets by the time of the stream, so that the last minute before a rest longer than its retention
 * is gone before it is told.
 */
public final class TrafficCountProcessor extends ContextualProcessor<String, byte[], String, TrafficCount> {
    private static final long WINDOW_MS = TrafficTopology.WINDOW.toMillis();
    private static final int KEY_LENGTH = 13;
    private static final Duration TICK = Duration.ofMillis(100);

    /** Maximum number of counts that are forwarded at once. */
    public static final int SLICE = 1_000;

    private final long graceMs;
    private KeyValueStore<String, Long> counts;
    private Sensor late;

    /** When the oldest open minute closes, in the time of the stream. */
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
        // The store may be restored behind this; the first record looks.
        nextClose = 0;
        context.schedule(TICK, PunctuationType.WALL_CLOCK_TIME, time -> tellDue(context.currentStreamTimeMs()));
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
        tellDue(now);
    }

    private void tellDue(long now) {
        if (nextClose <= now) {
            tell(now);
        }
    }

    private void count(long start, String kind) {
        String minute = key(start) + kind;
        Long counted = counts.get(minute);
        counts.put(minute, counted == null ? 1 : counted + 1);
        nextClose = Math.min(nextClose, closes(start));
    }

    /**
     * Forwards a slice of the counts of the minutes that are over, the oldest first; the next record or tick continues.
     */
    private void tell(long now) {
        List<KeyValue<String, Long>> over = new ArrayList<>();
        nextClose = Long.MAX_VALUE;
        try (KeyValueIterator<String, Long> open = counts.all()) {
            while (open.hasNext()) {
                KeyValue<String, Long> entry = open.next();
                if (over.size() == SLICE || closes(start(entry.key)) > now) {
                    nextClose = closes(start(entry.key));
                    break;
                }
                over.add(entry);
            }
        }
        for (KeyValue<String, Long> entry : over) {
            counts.delete(entry.key);
            String kind = entry.key.substring(KEY_LENGTH);
            TrafficCount count = count(kind, Instant.ofEpochMilli(start(entry.key)), entry.value);
            context().forward(new Record<>(kind, count, count.getWindowEnd().toEpochMilli()));
        }
    }

    private long closes(long start) {
        return start + WINDOW_MS + graceMs;
    }

    /** Keys sort by their minutes: thirteen digits last until the year 2286. */
    private static String key(long start) {
        return String.format("%0" + KEY_LENGTH + "d", start);
    }

    private static long start(String key) {
        return Long.parseLong(key.substring(0, KEY_LENGTH));
    }

    private static TrafficCount count(String key, Instant start, long messages) {
        TrafficDimensions kind = TrafficDimensions.of(key);
        return TrafficCount.newBuilder()
                .setWindowStart(start)
                .setWindowEnd(start.plus(TrafficTopology.WINDOW))
                .setNamespace(kind.namespace())
                .setProtocol(kind.protocol())
                .setPerformative(kind.performative())
                .setSender(kind.sender())
                .setVerdict(kind.verdict())
                .setMessages(messages)
                .setLate(kind.late() ? Boolean.TRUE : null)
                .build();
    }
}
