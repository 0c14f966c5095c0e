package dev.parley.operations;

import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;

/** Waits for what the brokers answer; the admin client's own timeout bounds the wait. */
final class Answers {
    private Answers() {}

    /**
     * The answer.
     *
     * @throws KafkaException what the brokers refuse with, or that they do not answer
     */
    static <T> T of(KafkaFuture<T> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException refused ? refused : new KafkaException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("Interrupted while waiting for the brokers", e);
        }
    }

    /** The sentence of the innermost cause: what a person can act on. */
    static String root(Throwable exception) {
        Throwable root = exception;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = root.getMessage();
        return message == null ? root.getClass().getSimpleName() : message;
    }
}
