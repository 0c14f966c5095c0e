package dev.parley.cli.io;

import java.io.PrintStream;

/**
 * The progress of a task, in one line of standard error while a person reads, on a terminal with colors; nothing
 * otherwise. The line disappears at the end. Thread-safe.
 */
public final class Progress implements AutoCloseable {
    /** No progress. */
    public static final Progress NONE = new Progress(null, 0, "");

    private static final long INTERVAL_NANOS = 200_000_000;

    private final PrintStream out;
    private final int width;
    private final String task;
    private long done;
    private long drawn = System.nanoTime() - INTERVAL_NANOS;
    private boolean closed;

    /** @param out where the line is drawn; null for no line */
    Progress(PrintStream out, int width, String task) {
        this.out = out;
        this.width = width;
        this.task = task;
    }

    /** Creates the progress of a task, which is shown only on a terminal with colors. */
    public static Progress of(String task) {
        // Without colors there are no other control characters either.
        return Terminal.hasColor() ? new Progress(System.err, Terminal.width() - 1, task) : NONE;
    }

    /** Counts a step of a task whose number of steps is unknown. */
    public synchronized void step() {
        done++;
        show(": " + done);
    }

    /** Sets the steps that are done, and the number of all, for tasks that determine it while they run. */
    public synchronized void stepTo(long steps, long total) {
        show(": " + steps + " of " + total);
    }

    private void show(String state) {
        if (out != null && !closed && System.nanoTime() - drawn >= INTERVAL_NANOS) {
            drawn = System.nanoTime();
            draw(task + state);
        }
    }

    /** Removes the line, which would stand before lines printed later; later steps have no effect. */
    @Override
    public synchronized void close() {
        if (out != null && !closed) {
            closed = true;
            draw("");
        }
    }

    private void draw(String line) {
        out.print('\r' + line + " ".repeat(Math.max(0, width - line.length())) + '\r');
        out.flush();
    }
}
