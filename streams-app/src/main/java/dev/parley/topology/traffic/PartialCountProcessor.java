package dev.parley.topology.traffic;

import dev.parley.avro.AuditRecord;
import dev.parley.topology.setup.SliceScheduler;
import java.time.Duration;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Counts the audit records of one task by minute and dimensions. It forwards its counts when the task reads the first
 * record of a later minute, and those of past minutes once a second, so few records reach the repartition topic. The
 * timestamp of a forwarded record is the start of its minute.
 */
public final class PartialCountProcessor extends ContextualProcessor<String, AuditRecord, String, long[]> {
    private static final long WINDOW_MS = TrafficTopology.WINDOW.toMillis();
    private static final Duration FLUSH_INTERVAL = Duration.ofSeconds(1);

    /** Nothing is to be forwarded. */
    private static final long NOTHING = Long.MIN_VALUE;

    private final int maxKeys;
    private MinuteCounts partials;
    private SliceScheduler slices;

    /** Start of the latest minute of a record. */
    private long latest;

    /** Start of the last minute whose counts are to be forwarded. */
    private long flushTo;

    /**
     * Creates a processor.
     *
     * @param maxKeys maximum number of keys of one kind in a minute
     */
    public PartialCountProcessor(int maxKeys) {
        this.maxKeys = maxKeys;
    }

    @Override
    public void init(ProcessorContext<String, long[]> context) {
        super.init(context);
        partials = new MinuteCounts(context.getStateStore(TrafficTopology.PARTIALS), maxKeys);
        latest = NOTHING;
        flushTo = NOTHING;
        slices = new SliceScheduler(context, SliceScheduler.INTERVAL, time -> forwardSlice());
        context.schedule(
                FLUSH_INTERVAL, PunctuationType.WALL_CLOCK_TIME, time -> flush(MinuteCounts.minute(time) - WINDOW_MS));
    }

    @Override
    public void process(Record<String, AuditRecord> record) {
        long start = MinuteCounts.minute(record.timestamp());
        CountSink sink = (dimensions, counts) -> partials.add(start, false, dimensions.toKey(), counts);
        TrafficDimensions.count(record.value(), sink);
        ViolationDimensions.count(record.value(), sink);
        EdgeDimensions.count(record.value(), sink);
        if (start > latest) {
            latest = start;
            flush(start);
        } else {
            forwardSlice();
        }
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
            context().forward(new Record<>(partial.dimensions(), partial.counts(), partial.start()));
        }
        if (partials.oldest() > flushTo) {
            flushTo = NOTHING;
        }
        return flushTo != NOTHING;
    }
}
