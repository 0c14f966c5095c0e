package dev.parley.cli.io;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/** A progress bar on standard error while a person reads, on a terminal with colors; nothing otherwise. */
public final class Progress implements AutoCloseable {
    /** No progress bar. */
    public static final Progress NONE = new Progress(null);

    private final ProgressBar bar;
    private boolean closed;

    Progress(ProgressBar bar) {
        this.bar = bar;
    }

    /**
     * Creates a progress bar, which is shown only on a terminal with colors.
     *
     * @param task name of the task
     * @param steps number of steps; -1 if unknown
     */
    public static Progress of(String task, long steps) {
        // Without colors there are no other escape sequences either.
        return new Progress(
                Terminal.hasColor()
                        ? new ProgressBarBuilder()
                                .setTaskName(task)
                                .setInitialMax(steps)
                                .setUpdateIntervalMillis(200)
                                .build()
                        : null);
    }

    public void step() {
        if (isOpen()) {
            bar.step();
        }
    }

    /** Moves the bar, and sets the number of steps, for tasks that determine it while they run. */
    public void stepTo(long done, long total) {
        if (isOpen()) {
            bar.maxHint(total);
            bar.stepTo(done);
        }
    }

    private boolean isOpen() {
        return bar != null && !closed;
    }

    /** Ends the bar, which would overwrite lines printed after it; later calls and steps have no effect. */
    @Override
    public void close() {
        if (isOpen()) {
            closed = true;
            bar.close();
        }
    }
}
