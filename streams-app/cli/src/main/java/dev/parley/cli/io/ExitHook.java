package dev.parley.cli.io;

import java.io.IOException;

/** Work that is done once: when its owner closes, or when the process is interrupted before that. */
final class ExitHook implements AutoCloseable {
    private final Runnable work;
    private final Thread atExit = new Thread(this::end, "parley-exit");
    private boolean ended;

    /** Creates something, or fails. */
    interface Creation<T> {
        T create() throws IOException;
    }

    ExitHook(Runnable work) {
        this.work = work;
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /**
     * Creates what the work deletes, completely or not at all.
     *
     * @throws IOException if the process is ending, or the creation fails
     */
    synchronized <T> T unlessEnding(Creation<T> creation) throws IOException {
        if (ended) {
            throw new IOException("interrupted");
        }
        return creation.create();
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
