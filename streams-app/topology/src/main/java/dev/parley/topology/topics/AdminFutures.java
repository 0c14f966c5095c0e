package dev.parley.topology.topics;

import dev.parley.codec.Excerpt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;

/** Waits for results of the admin client, whose own timeout limits the wait. */
public final class AdminFutures {
    private static final int TRIES = 100;
    private static final long PAUSE_MS = 100;

    private AdminFutures() {}

    /**
     * Waits for a result.
     *
     * @throws KafkaException if the brokers reject the request or are unavailable
     */
    public static <T> T of(KafkaFuture<T> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException refused ? refused : new KafkaException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("Interrupted while waiting for the brokers", e);
        }
    }

    /** The innermost cause of an exception. */
    public static Throwable rootCause(Throwable exception) {
        Throwable root = exception;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    /** The message of the innermost cause, which is the one to act on, without a period at its end. */
    public static String root(Throwable exception) {
        Throwable root = rootCause(exception);
        String message = root.getMessage();
        return message == null ? root.getClass().getSimpleName() : Excerpt.withoutPeriod(message);
    }

    /**
     * Repeats a request for about ten seconds while the brokers answer with a temporary error.
     *
     * @param request sends the request
     * @param temporary the error
     * @param interrupted error message if the thread is interrupted
     * @throws KafkaException as {@link #of}, and the temporary error after the last attempt
     */
    public static <T> T retried(
            Supplier<KafkaFuture<T>> request, Class<? extends KafkaException> temporary, String interrupted) {
        for (int tries = 1; ; tries++) {
            try {
                return of(request.get());
            } catch (KafkaException e) {
                if (tries == TRIES || !temporary.isInstance(e)) {
                    throw e;
                }
            }
            try {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new KafkaException(interrupted, e);
            }
        }
    }
}
