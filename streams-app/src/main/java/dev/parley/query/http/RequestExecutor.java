package dev.parley.query.http;

import dev.parley.query.cluster.RetryBackoff;
import dev.parley.query.read.PositionNotVisibleException;
import dev.parley.query.read.ViewsUnavailableException;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Handles requests on bounded pools, apart from the threads of the HTTP server, and tries them again without holding a
 * thread in between. What one pool waits for does not delay another.
 */
public final class RequestExecutor implements AutoCloseable {

    private static final int QUEUED_FOR_EACH = 4;
    private static final long MAX_QUEUED_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int OPERATIONS_THREADS = 2;
    private static final int KEEP_ALIVE_SECONDS = 30;

    private final Map<Pool, ThreadPoolExecutor> pools = new EnumMap<>(Pool.class);
    private final ScheduledExecutorService timer;
    private final int maxWaiting;
    private final AtomicInteger waiting = new AtomicInteger();

    /** What a pool's requests need. */
    public enum Pool {
        /** What is in this instance. */
        LOCAL,
        /** Other instances, or the brokers. */
        REMOTE,
        /** What is in this instance, for another one. */
        PEERS,
        /** Readiness, metrics, and what describes the API. */
        OPERATIONS
    }

    /**
     * @param threads maximum threads of a pool; four times as many requests wait for one
     * @param waiting maximum requests that wait to be tried again; beyond, they are not tried again
     */
    public RequestExecutor(int threads, int waiting) {
        this.maxWaiting = waiting;
        for (Pool pool : Pool.values()) {
            int size = pool == Pool.OPERATIONS ? OPERATIONS_THREADS : threads;
            ThreadPoolExecutor executor = new ThreadPoolExecutor(
                    size,
                    size,
                    KEEP_ALIVE_SECONDS,
                    TimeUnit.SECONDS,
                    new ArrayBlockingQueue<>(QUEUED_FOR_EACH * Math.max(size, 2)),
                    threads("parley-http-" + pool.name().toLowerCase(java.util.Locale.ROOT)));
            executor.allowCoreThreadTimeOut(true);
            pools.put(pool, executor);
        }
        timer = Executors.newSingleThreadScheduledExecutor(threads("parley-http-retry"));
    }

    /**
     * Runs an action; the future fails as the action does, or with a {@link ProblemException} if there is no room for
     * it.
     */
    CompletableFuture<Void> run(Pool pool, Action action) {
        return call(pool, () -> {
            action.run();
            return null;
        });
    }

    /** Runs a task; the future has its result, or fails as in {@link #run}. */
    <T> CompletableFuture<T> call(Pool pool, Callable<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        submit(pool, result, () -> result.complete(task.call()));
        return result;
    }

    /**
     * Runs an attempt, again and again while it fails because views are unavailable or do not show what they must.
     *
     * @param pool of the next attempt
     * @param wanted whether the client still waits; without it there is no other attempt
     */
    public <T> CompletableFuture<T> retry(
            Supplier<Pool> pool, Supplier<T> attempt, RetryBackoff backoff, BooleanSupplier wanted) {
        CompletableFuture<T> result = new CompletableFuture<>();
        attempt(result, pool, attempt, backoff, wanted);
        return result;
    }

    private <T> void attempt(
            CompletableFuture<T> result,
            Supplier<Pool> pool,
            Supplier<T> attempt,
            RetryBackoff backoff,
            BooleanSupplier wanted) {
        submit(pool.get(), result, () -> {
            try {
                result.complete(attempt.get());
            } catch (ViewsUnavailableException | PositionNotVisibleException later) {
                OptionalLong pause = backoff.next();
                if (pause.isEmpty() || waiting.incrementAndGet() > maxWaiting) {
                    if (pause.isPresent()) {
                        waiting.decrementAndGet();
                    }
                    throw later;
                }
                again(result, pool, attempt, backoff, wanted, pause.getAsLong(), later);
            }
        });
    }

    private <T> void again(
            CompletableFuture<T> result,
            Supplier<Pool> pool,
            Supplier<T> attempt,
            RetryBackoff backoff,
            BooleanSupplier wanted,
            long pauseMs,
            RuntimeException later) {
        try {
            timer.schedule(
                    () -> {
                        waiting.decrementAndGet();
                        if (wanted.getAsBoolean()) {
                            attempt(result, pool, attempt, backoff, wanted);
                        } else {
                            result.completeExceptionally(later);
                        }
                    },
                    pauseMs,
                    TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException stopping) {
            waiting.decrementAndGet();
            result.completeExceptionally(later);
        }
    }

    private void submit(Pool pool, CompletableFuture<?> result, Action action) {
        long submitted = System.nanoTime();
        try {
            pools.get(pool).execute(() -> {
                if (System.nanoTime() - submitted > MAX_QUEUED_NANOS) {
                    result.completeExceptionally(busy());
                    return;
                }
                try {
                    action.run();
                } catch (Throwable failure) {
                    result.completeExceptionally(failure);
                }
            });
        } catch (RejectedExecutionException e) {
            result.completeExceptionally(busy());
        }
    }

    private static ProblemException busy() {
        return ProblemException.unavailable(
                ProblemException.Code.TOO_BUSY,
                "Too many requests at the same time (http.limits.requests), or Parley stops.");
    }

    @Override
    public void close() {
        timer.shutdownNow();
        pools.values().forEach(ThreadPoolExecutor::shutdownNow);
    }

    /** What handles a request. */
    interface Action {
        void run() throws Exception;
    }

    private static ThreadFactory threads(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + '-' + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
