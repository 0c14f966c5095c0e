package dev.parley.serde;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.parley.codec.Excerpt;
import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import javax.net.ssl.SSLException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RetriableException;

/** Classifies failures of the registry client: the registry is unavailable, or does not have the requested schema. */
public final class RegistryFailures {
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int MISSING = 404;
    private static final int CODES_PER_STATUS = 100;
    /** The error code of Confluent's client for an error that is not JSON. */
    private static final int UNREADABLE = 50_005;

    private RegistryFailures() {}

    /**
     * Whether a failure, or one of its causes, shows that the network or the registry is unavailable, or that the
     * registry rejects this client. Always false for the cause of an {@link UnreadableRecordException}.
     */
    public static boolean isUnavailable(Throwable failure) {
        boolean unavailable = false;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnreadableRecordException) {
                return false;
            }
            unavailable |= cause instanceof RegistryUnavailableException
                    || cause instanceof RetriableException
                    || cause instanceof AuthenticationException
                    || cause instanceof AuthorizationException
                    || isNetwork(cause)
                    || (cause instanceof RestClientException answer && !isMissing(answer) && !isRefusal(answer));
        }
        return unavailable;
    }

    /**
     * The innermost cause of a failure in one line, without a period at its end. A response without an error of a
     * registry is named, not repeated.
     */
    public static String reason(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        if (root instanceof RestClientException answer && !isOfRegistry(answer)) {
            if (answer.getStatus() == UNAUTHORIZED || answer.getStatus() == FORBIDDEN) {
                // A registry or a proxy in front of it may reject credentials before the registry's error handler.
                return "the server rejected this client (HTTP status " + answer.getStatus() + ")";
            }
            return "the response (HTTP status " + answer.getStatus() + ") is not from a Schema Registry";
        }
        if (root instanceof JsonProcessingException) {
            return "the response is not from a Schema Registry";
        }
        String message = root.getMessage();
        if (message == null || message.isBlank()) {
            return root.getClass().getSimpleName();
        }
        return Excerpt.withoutPeriod(message.strip().lines().findFirst().orElseThrow());
    }

    private static boolean isOfRegistry(RestClientException answer) {
        int code = answer.getErrorCode();
        return code != UNREADABLE && (code == answer.getStatus() || code / CODES_PER_STATUS == answer.getStatus());
    }

    /** Whether the registry itself reports a missing schema; the 404 of a proxy in front of it does not count. */
    public static boolean isMissing(RestClientException answer) {
        return answer.getErrorCode() / CODES_PER_STATUS == MISSING;
    }

    /** Whether the registry rejects the content of the request, so that the same request will never succeed. */
    private static boolean isRefusal(RestClientException answer) {
        return switch (answer.getStatus()) {
            case 400, 409, 422 -> true;
            default -> false;
        };
    }

    private static boolean isNetwork(Throwable cause) {
        return cause instanceof SocketException
                || cause instanceof UnknownHostException
                || cause instanceof InterruptedIOException
                || cause instanceof HttpTimeoutException
                || cause instanceof ClosedChannelException
                || cause instanceof SSLException;
    }
}
