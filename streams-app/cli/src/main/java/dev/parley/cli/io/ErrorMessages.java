package dev.parley.cli.io;

import dev.parley.logging.FileErrors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.FileSystemException;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Turns exceptions into messages for a person: of a file, always its path and the reason. */
public final class ErrorMessages {
    private static final String NO_HTTP =
            "this port does not speak HTTP. Is it that of a Kafka broker, or does the URL need https?";

    /** Words of Java's HTTP clients and TLS, and what they mean. */
    private static final Map<String, String> FOREIGN_PROTOCOLS = Map.of(
            "parser received no bytes", NO_HTTP,
            "nvalid status line", NO_HTTP,
            "Invalid Http response", NO_HTTP,
            "Unexpected end of file from server", NO_HTTP,
            "Connection reset", NO_HTTP,
            "SSL message", "this port does not speak TLS. Does the URL need http?",
            "handshake", "the TLS handshake failed. Does this port speak TLS, and do both sides trust each other?");

    private ErrorMessages() {}

    /** The first line of the message of an exception; its class without a message. */
    public static String firstLine(Exception exception) {
        String message = exception.getMessage() == null ? exception.getClass().getSimpleName() : exception.getMessage();
        return message.lines().findFirst().orElse("");
    }

    /** The message of an exception; never null or blank. */
    public static String of(Throwable exception) {
        Throwable cause = exception.getCause();
        if (cause != null && isWrapper(exception)) {
            return of(cause);
        }
        if (exception instanceof FileSystemException failed) {
            return failed.getFile() == null ? reason(failed) : failed.getFile() + ": " + reason(failed);
        }
        if (exception instanceof IOException failed) {
            return reason(failed);
        }
        String message = exception.getMessage();
        return message != null && !message.isBlank()
                ? message
                : exception.getClass().getSimpleName();
    }

    /** Why reading, writing or connecting failed, without the path or address, which the caller names. */
    public static String reason(IOException exception) {
        if (exception instanceof HttpTimeoutException) {
            return "timed out";
        }
        if (exception instanceof UnknownHostException || exception.getCause() instanceof UnresolvedAddressException) {
            return "unknown host";
        }
        Throwable cause = exception.getCause();
        if (exception instanceof ConnectException) {
            if (cause instanceof IOException inner && cause.getCause() instanceof UnresolvedAddressException) {
                return reason(inner);
            }
            return "connection refused";
        }
        if (exception.getMessage() == null && cause != null) {
            return of(cause);
        }
        String message = FileErrors.reason(exception);
        return FOREIGN_PROTOCOLS.entrySet().stream()
                .filter(form -> message.contains(form.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(message);
    }

    private static boolean isWrapper(Throwable exception) {
        return exception instanceof UncheckedIOException
                || exception instanceof CompletionException
                || exception instanceof ExecutionException
                || exception.getMessage() == null;
    }
}
