package dev.parley.topology.kafka;

import java.time.Duration;
import java.util.function.LongPredicate;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;

/**
 * Runs the slices of a long task between records, by wall-clock punctuation while work remains. Kafka Streams commits
 * after each punctuation, so a schedule that always runs would cost a transaction each time. Each start of a task
 * creates a new one. Not thread-safe.
 */
public final class SliceScheduler {
    /** Usual time between slices. */
    public static final Duration INTERVAL = Duration.ofMillis(100);

    private final ProcessorContext<?, ?> context;
    private final Duration interval;
    private final LongPredicate slice;
    private Cancellable schedule;

    /**
     * Creates a scheduler that does not run yet.
     *
     * @param slice does some work at a time in milliseconds since the epoch; returns whether more remains
     */
    public SliceScheduler(ProcessorContext<?, ?> context, Duration interval, LongPredicate slice) {
        this.context = context;
        this.interval = interval;
        this.slice = slice;
    }

    /** Runs the first slice after the interval, and further ones while work remains. No effect if they run already. */
    public void start() {
        if (schedule == null) {
            schedule = context.schedule(interval, PunctuationType.WALL_CLOCK_TIME, this::run);
        }
    }

    /** Whether work remains. */
    public boolean isRunning() {
        return schedule != null;
    }

    private void run(long time) {
        if (!slice.test(time)) {
            schedule.cancel();
            schedule = null;
        }
    }
}
