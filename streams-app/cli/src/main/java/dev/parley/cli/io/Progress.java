package dev.parley.cli.io;

import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/**
 * A progress bar on standard error while a person reads, on a terminal with colors; nothing otherwise. It disappears at
 * its end.
 */
public final class Progress implements AutoCloseable {
    /** No progress bar. */
    public static final Progress NONE = new Progress(null, "", -1);

    private final Line line;
    private final ProgressBar bar;
    private boolean closed;

    /** A line of a terminal. */
    static final class Line extends ConsoleProgressBarConsumer {
        Line(PrintStream out, int width) {
            super(out, width);
        }

        @Override
        public void close() {
            // Later output continues on the same line, which is blank.
        }
    }

    /** @param line where the bar is drawn; null for no bar */
    Progress(Line line, String task, long steps) {
        this.line = line;
        this.bar = line == null
                ? null
                : new ProgressBarBuilder()
                        .setTaskName(task)
                        .setInitialMax(steps)
                        .setUpdateIntervalMillis(200)
                        .setConsumer(line)
                        .build();
    }

    /**
     * Creates a progress bar, which is shown only on a terminal with colors.
     *
     * @param task name of the task
     * @param steps number of steps; -1 if unknown
     */
    public static Progress of(String task, long steps) {
        // Without colors there are no other escape sequences either.
        return Terminal.hasColor() ? new Progress(new Line(System.err, Terminal.width() - 1), task, steps) : NONE;
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

    /** Removes the bar, which would overwrite lines printed after it; later calls and steps have no effect. */
    @Override
    public void close() {
        if (isOpen()) {
            closed = true;
            bar.close();
            // The bar itself would not do so if it ends before it was drawn for the second time.
            line.clear();
        }
    }
}
