package dev.parley.topology.kafka;

import dev.parley.serde.RegistryFailures;
import dev.parley.serde.UnreadableRecordException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.streams.errors.StreamsException;

/**
 * Classifies exceptions as outages of brokers, registry or network. Unreadable data is never an outage: it is skipped,
 * rejected or dead-lettered.
 */
public final class OutageClassifier {

    private OutageClassifier() {}

    /** Returns whether brokers or registry are unavailable or reject this client, so that a retry may help. */
    public static boolean isOutage(Throwable exception) {
        boolean outage = false;
        for (Throwable cause = exception; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnreadableRecordException) {
                return false;
            }
            outage |= cause instanceof RetriableException
                    || cause instanceof AuthenticationException
                    || cause instanceof AuthorizationException
                    || cause instanceof StreamsException;
        }
        return outage || RegistryFailures.isUnavailable(exception);
    }
}
