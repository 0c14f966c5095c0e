package dev.parley.benchmarks.speed;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Parley with only the role views, in a process of its own. */
final class ViewsProcess implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final Pattern API = Pattern.compile("HTTP API at (http://\\S+)");
    private static final String READY = "parley: ready";

    private final Process process;
    private final Path log;
    private final long begin = System.nanoTime();

    /** @param log the log of the process */
    ViewsProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Time and processor time since the start of the process, in nanoseconds. */
    record Cost(long nanos, long cpuNanos) {
        Cost minus(Cost earlier) {
            return new Cost(nanos - earlier.nanos, cpuNanos - earlier.cpuNanos);
        }
    }

    /** The cost so far. */
    Cost cost() {
        return new Cost(
                System.nanoTime() - begin,
                process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L));
    }

    /** Throws if the process has ended. */
    void requireAlive() {
        if (!process.isAlive()) {
            throw new IllegalStateException("The views ended; see " + log);
        }
    }

    /** Waits until the API listens, and returns its address; the applications start at the same time. */
    URI awaitStarted() throws IOException, InterruptedException {
        Matcher api = API.matcher(await("HTTP API at http://"));
        if (!api.find()) {
            throw new IllegalStateException("No address of the HTTP API in " + log);
        }
        return URI.create(api.group(1));
    }

    /** Waits until all stores are restored. */
    void awaitReady() throws IOException, InterruptedException {
        await(READY);
    }

    /** Returns the log as soon as it contains a text and the end of its line. */
    private String await(String text) throws IOException, InterruptedException {
        while (process.isAlive() && System.nanoTime() - begin < TIMEOUT.toNanos()) {
            String content = Files.readString(log);
            int found = content.indexOf(text);
            if (found >= 0 && content.indexOf('\n', found) >= 0) {
                return content;
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        throw new IllegalStateException("No line with '" + text + "' in " + log);
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(1, TimeUnit.MINUTES)) {
            process.destroyForcibly();
        }
    }
}
