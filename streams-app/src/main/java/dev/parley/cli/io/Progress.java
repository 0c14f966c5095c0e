package dev.parley.cli.io;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/** A progress bar on standard error while a person reads, on a terminal with colors; nothing otherwise. */
public final class Progress implements AutoCloseable {
    private final ProgressBar bar;

    private Progress(ProgressBar bar) {
        this.bar = bar;
    }

    /**
     * A bar.
     *
     * @param task what goes on
     * @param steps how many steps there are; -1 when nobody knows
     */
    public static Progress of(String task, long steps) {
        // Without colors there are no other escape sequences either.
        return new Progress(
                Terminal.isColored()
                        ? new ProgressBarBuilder()
                                .setTaskName(task)
                                .setInitialMax(steps)
                                .setUpdateIntervalMillis(200)
                                .build()
                        : null);
    }

    public void step() {
        if (bar != null) {
            bar.step();
        }
    }

    public void stepTo(long done) {
        if (bar != null) {
            bar.stepTo(done);
        }
    }

    /** The same, where only the work itself tells how much there is. */
    public void stepTo(long done, long total) {
        if (bar != null) {
            bar.maxHint(total);
            bar.stepTo(done);
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
