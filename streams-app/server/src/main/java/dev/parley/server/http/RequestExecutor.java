package dev.parley.server.http;

import dev.parley.server.cluster.Attempt;
import dev.parley.server.cluster.RetryBackoff;
import dev.parley.server.cluster.ViewResponse;
import dev.parley.topology.views.read.PositionNotVisibleException;
import dev.parley.topology.views.store.ViewsUnavailableException;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.ThreadUtils;

/**
 * Runs the handlers of requests on bounded thread pools, apart from the threads of the HTTP server. A request that
 * waits for a retry holds no thread. Each kind of request has its own pool, so that one kind does not delay another.
 * Jetty's {@code QoSHandler} has one limit for all kinds.
 */
public final class RequestExecutor implements AutoCloseable {

    private static final int QUEUED_FOR_EACH = 4;
    private static final long MAX_QUEUED_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int OPERATIONS_THREADS = 2;
    private static final int KEEP_ALIVE_SECONDS = 30;

    private final Map<Pool, ThreadPoolExecutor> pools = new EnumMap<>(Pool.class);
    private final Semaphore waiting;

    /** Thread pools, by the dependency of their requests. */
    public enum Pool {
        /** Data on this instance. */
        LOCAL,
        /** Other instances, or brokers. */
        REMOTE,
        /** Dead letters and redrives, which one thread reads. */
        DEAD_LETTERS,
        /** Redrives, one at a time, which readers of dead letters must not keep out. */
        REDRIVES,
        /** Data on this instance, requested by peers. */
        PEERS,
        /** Health, metrics, and the description of the API. */
        OPERATIONS
    }

    /**
     * @param threads maximum threads of a pool; four times as many requests are queued
     * @param waiting maximum requests that wait for a retry; further ones are not retried
     */
    public RequestExecutor(int threads, int waiting) {
        this.waiting = new Semaphore(waiting);
        for (Pool pool : Pool.values()) {
            int size = switch (pool) {
                case DEAD_LETTERS, REDRIVES -> 1;
                case OPERATIONS -> OPERATIONS_THREADS;
                default -> threads;
            };
            ThreadPoolExecutor executor = new ThreadPoolExecutor(
                    size,
                    size,
                    KEEP_ALIVE_SECONDS,
                    TimeUnit.SECONDS,
                    new ArrayBlockingQueue<>(QUEUED_FOR_EACH * Math.max(size, 2)),
                    ThreadUtils.createThreadFactory(
                            "parley-http-" + pool.name().toLowerCase(Locale.ROOT) + "-%d", true));
            executor.allowCoreThreadTimeOut(true);
            pools.put(pool, executor);
        }
    }

    /** Runs a task. The future fails as the task does, or with a {@link ProblemException} if the pool is full. */
    public <T> CompletableFuture<T> call(Pool pool, Callable<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        submit(pool, result, () -> result.complete(task.call()));
        return result;
    }

    /**
     * Makes attempts until one does not fail with {@link ViewsUnavailableException} or
     * {@link PositionNotVisibleException}, or the backoff ends.
     *
     * @param attempts plans the next attempt
     * @param wanted whether the client still waits; if not, there is no further attempt
     */
    public CompletableFuture<ViewResponse> retry(
            Supplier<Attempt> attempts, RetryBackoff backoff, BooleanSupplier wanted) {
        CompletableFuture<ViewResponse> result = new CompletableFuture<>();
        attempt(result, attempts, backoff, wanted);
        return result;
    }

    private void attempt(
            CompletableFuture<ViewResponse> result,
            Supplier<Attempt> attempts,
            RetryBackoff backoff,
            BooleanSupplier wanted) {
        Attempt next = attempts.get();
        submit(next.remote() ? Pool.REMOTE : Pool.LOCAL, result, () -> {
            try {
                return result.complete(next.answer().get());
            } catch (ViewsUnavailableException | PositionNotVisibleException retryable) {
                Runnable retry = () -> {
                    if (wanted.getAsBoolean()) {
                        attempt(result, attempts, backoff, wanted);
                    } else {
                        result.completeExceptionally(retryable);
                    }
                };
                if (!schedule(backoff, retry)) {
                    throw retryable;
                }
                return false;
            }
        });
    }

    /** Schedules the next attempt; false if the backoff has ended, or too many requests wait. */
    private boolean schedule(RetryBackoff backoff, Runnable next) {
        OptionalLong pauseMs = backoff.next();
        if (pauseMs.isEmpty() || !waiting.tryAcquire()) {
            return false;
        }
        CompletableFuture.delayedExecutor(pauseMs.getAsLong(), TimeUnit.MILLISECONDS, Runnable::run)
                .execute(() -> {
                    waiting.release();
                    next.run();
                });
        return true;
    }

    private void submit(Pool pool, CompletableFuture<?> result, Callable<?> task) {
        long submitted = System.nanoTime();
        try {
            pools.get(pool).execute(() -> {
                try {
                    if (System.nanoTime() - submitted > MAX_QUEUED_NANOS) {
                        throw ProblemException.tooBusy();
                    }
                    task.call();
                } catch (Throwable failure) {
                    result.completeExceptionally(failure);
                }
            });
        } catch (RejectedExecutionException e) {
            result.completeExceptionally(ProblemException.tooBusy());
        }
    }

    @Override
    public void close() {
        pools.values().forEach(ThreadPoolExecutor::shutdownNow);
    }
}
