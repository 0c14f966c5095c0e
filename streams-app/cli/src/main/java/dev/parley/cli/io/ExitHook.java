package dev.parley.cli.io;

import java.io.IOException;

/** Work that is done once: when its owner closes, or when the process is interrupted before that. */
final class ExitHook implements AutoCloseable {
    private final Runnable work;
    private final Thread atExit = new Thread(this::end, "parley-exit");
    private boolean ended;

    /** An action that may fail. */
    interface Action {
        void run() throws IOException;
    }

    ExitHook(Runnable work) {
        this.work = work;
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /**
     * Runs an action that creates what the work deletes, completely or not at all.
     *
     * @throws IOException if the process is ending, or the action fails
     */
    synchronized void unlessEnding(Action action) throws IOException {
        if (ended) {
            throw new IOException("interrupted");
        }
        action.run();
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // The process is ending.
        }
        end();
    }

    private synchronized void end() {
        if (!ended) {
            ended = true;
            work.run();
        }
    }
}
