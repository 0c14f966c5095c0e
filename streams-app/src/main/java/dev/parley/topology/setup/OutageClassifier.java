package dev.parley.topology.setup;

import dev.parley.serde.RegistryFailures;
import dev.parley.serde.UnreadableRecordException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.streams.errors.StreamsException;

/**
 * Decides what counts as an outage: only the brokers, the registry and the network between can be unavailable. Data
 * that cannot be read is never an outage, however often it is read: it is skipped, refused or dead-lettered.
 */
public final class OutageClassifier {

    private OutageClassifier() {}

    /** Whether brokers or registry are unavailable, or refuse this client, so that a retry may help. */
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
