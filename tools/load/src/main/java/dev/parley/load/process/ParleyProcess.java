package dev.parley.load.process;

import dev.parley.cli.api.ApiClient;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;

/** {@code parley run} in a separate process, with its HTTP API. Closing it stops it. */
public final class ParleyProcess implements AutoCloseable {
    private static final Pattern API = Pattern.compile("HTTP API at (http://\\S+)\\s");
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final JavaProcess process;
    private final ApiClient client;

    /**
     * Waits until the API of a process that runs Parley listens.
     *
     * @throws IllegalStateException if it does not listen in time, and the process is then stopped; the message names
     *     the log
     */
    public ParleyProcess(JavaProcess process) throws IOException, InterruptedException {
        this.process = process;
        try {
            this.client = new ApiClient(URI.create(process.await(API, TIMEOUT).group(1)));
        } catch (IllegalStateException | InterruptedException e) {
            process.close();
            throw e;
        }
    }

    /**
     * Waits until all stores are restored.
     *
     * @throws IllegalStateException if it takes too long; the message names the log
     */
    public void awaitReady(Duration timeout) throws InterruptedException {
        try {
            client.awaitReady(timeout, new CountDownLatch(1));
        } catch (IllegalStateException e) {
            throw new IllegalStateException("Parley did not become ready; see " + process.log(), e);
        }
    }

    /** The process. */
    public JavaProcess process() {
        return process;
    }

    /** A client of its HTTP API. */
    public ApiClient client() {
        return client;
    }

    /** Address of its HTTP API. */
    public URI api() {
        return client.uri("");
    }

    @Override
    public void close() throws InterruptedException {
        process.close();
    }
}
