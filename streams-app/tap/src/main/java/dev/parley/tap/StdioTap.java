package dev.parley.tap;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import sun.misc.Signal;

/**
 * Runs a server that talks over standard input and output, and passes both on. Each line becomes a record before it
 * passes, so that an answer is recorded after its request.
 */
final class StdioTap {
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int NOT_FOUND = 127;
    private static final long DRAIN_MS = 1_000;
    private static final int PROCESS_GROUP = 2;
    private static final int FOREGROUND_GROUP = 5;

    private final Outbox outbox;
    private final String session;
    private final AtomicLong passed = new AtomicLong();
    /** Whether the client has not read yet what the server wrote. */
    private volatile boolean isWriting;

    private final AtomicBoolean started = new AtomicBoolean();
    private final CompletableFuture<Process> running = new CompletableFuture<>();
    /** Headers of the client's records; set before a record is. */
    private Map<String, String> caller = Map.of();

    /** Creates it; the name of the process is the record key. */
    StdioTap(Outbox outbox) {
        this.outbox = outbox;
        this.session = outbox.process();
    }

    /**
     * Runs the server until it ends.
     *
     * @return its exit status; 128 plus the signal that ended it
     */
    int run(List<String> command) throws InterruptedException {
        Process server;
        // Before the server, which may be interrupted together with this process.
        for (String signal : List.of("TERM", "INT", "HUP")) {
            Signal.handle(new Signal(signal), this::handle);
        }
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(Redirect.INHERIT);
            restore(builder.environment());
            server = builder.start();
            running.complete(server);
        } catch (IOException e) {
            Console.say("cannot start " + command.get(0) + ": " + Console.reason(e));
            return NOT_FOUND;
        }
        caller = Callers.ofProcess();
        start(new FileInputStream(FileDescriptor.in), server.getOutputStream(), Direction.CLIENT_TO_SERVER);
        Thread answers =
                start(server.getInputStream(), new FileOutputStream(FileDescriptor.out), Direction.SERVER_TO_CLIENT);
        int status = server.waitFor();
        outbox.pass();
        // A process that the server started may keep its standard output open, so this ends when nothing passes.
        long before;
        do {
            before = passed.get();
            answers.join(DRAIN_MS);
        } while (answers.isAlive() && (isWriting || passed.get() > before));
        if (started.get()) {
            outbox.end(session);
        }
        return status;
    }

    /** Whether this process is in the foreground of a terminal, which sends an interrupt to the server, too. */
    private static boolean isForeground() {
        try {
            // After the command in parentheses: state, parent, process group, session, terminal, foreground group.
            String stat = Files.readString(Path.of("/proc/self/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", 7);
            return fields[PROCESS_GROUP].equals(fields[FOREGROUND_GROUP]);
        } catch (IOException e) {
            // Another system than Linux.
            return false;
        }
    }

    /** Undoes what the launcher has set for Java: the server gets the environment of its client. */
    private static void restore(Map<String, String> environment) {
        for (String name : List.of("LC_ALL", "MALLOC_ARENA_MAX")) {
            String client = System.getProperty("parley.env." + name);
            environment.compute(name, (key, ours) -> client == null ? ours : client.isEmpty() ? null : client);
        }
    }

    /** Passes a signal on, as soon as the server has started. */
    private void handle(Signal signal) {
        Process server = running.join();
        if (signal.getName().equals("INT") && isForeground()) {
            return;
        }
        try {
            // Java itself sends SIGTERM and SIGKILL only.
            new ProcessBuilder("sh", "-c", "kill -s \"$0\" \"$1\"", signal.getName(), Long.toString(server.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            server.destroy();
        }
    }

    private Thread start(InputStream in, OutputStream out, Direction direction) {
        Thread thread = new Thread(() -> copy(in, out, direction), "parley-tap-" + direction);
        // It may wait for input of the client when the server has ended.
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void copy(InputStream in, OutputStream out, Direction direction) {
        Lines lines = new Lines(Tap.MAX_MESSAGE_BYTES, line -> record(direction, line), this::lose);
        byte[] buffer = new byte[BUFFER_BYTES];
        // Either end closes the other one, as without the tap.
        try (in;
                out) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                lines.accept(buffer, count);
                if (direction == Direction.SERVER_TO_CLIENT) {
                    isWriting = true;
                }
                out.write(buffer, 0, count);
                out.flush();
                passed.addAndGet(count);
                if (direction == Direction.SERVER_TO_CLIENT) {
                    isWriting = false;
                    outbox.connect();
                }
            }
        } catch (IOException e) {
            // The reader or the writer has ended.
        }
        lines.end();
    }

    private void lose(long bytes) {
        // Rules that need the first message must not judge a session without it.
        started.set(true);
        outbox.lose(session, 1, bytes);
    }

    private void record(Direction direction, byte[] line) {
        outbox.offer(session, direction, line, () -> {
            Map<String, String> headers =
                    new LinkedHashMap<>(direction == Direction.CLIENT_TO_SERVER ? caller : Map.of());
            if (!started.getAndSet(true)) {
                headers.put("parley-capture", "start");
            }
            return headers;
        });
    }
}
