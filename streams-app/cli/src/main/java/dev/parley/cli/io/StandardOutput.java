package dev.parley.cli.io;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Standard output in UTF-8 that keeps the reason of a failed write, which a {@link PrintStream} hides. It repeats the
 * first failure at every later write.
 */
public final class StandardOutput extends PrintStream {
    private static final String BROKEN_PIPE = "Broken pipe";

    private final Sink sink;

    private StandardOutput(Sink sink) {
        super(sink, true, StandardCharsets.UTF_8);
        this.sink = sink;
    }

    /** Replaces {@link System#out} by the standard output of the process. */
    public static void install() {
        System.setOut(over(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 13)));
    }

    /** Standard output that writes to another stream, for tests. */
    public static StandardOutput over(OutputStream target) {
        return new StandardOutput(new Sink(target));
    }

    /** Flushes {@link System#out}; returns why output was lost, empty if it was written. */
    public static Optional<IOException> failure() {
        if (!System.out.checkError()) {
            return Optional.empty();
        }
        return Optional.of(
                System.out instanceof StandardOutput known && known.sink.failure != null
                        ? known.sink.failure
                        : new IOException("the stream is closed"));
    }

    /** Whether the reader of a pipe left before the end, as {@code head} does. */
    public static boolean isBrokenPipe(IOException failure) {
        return failure.getMessage() != null && failure.getMessage().contains(BROKEN_PIPE);
    }

    /** A stream that throws if a write fails; the same as the argument if that is not a standard output. */
    static OutputStream throwing(OutputStream out) {
        return out instanceof StandardOutput known ? known.sink : out;
    }

    /** A write that may fail. */
    interface Write {
        void run() throws IOException;
    }

    private static final class Sink extends OutputStream {
        private final OutputStream target;
        private volatile IOException failure;

        Sink(OutputStream target) {
            this.target = target;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public synchronized void write(byte[] bytes, int from, int length) throws IOException {
            attempt(() -> target.write(bytes, from, length));
        }

        @Override
        public synchronized void flush() throws IOException {
            attempt(target::flush);
        }

        private void attempt(Write write) throws IOException {
            if (failure != null) {
                throw failure;
            }
            try {
                write.run();
            } catch (IOException e) {
                failure = e;
                throw e;
            }
        }
    }
}
