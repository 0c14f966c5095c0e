package dev.parley.topology.kafka;

import dev.parley.serde.RegistryFailures;
import dev.parley.serde.UnreadableRecordException;
import org.apache.kafka.streams.errors.StreamsException;

/**
 * Classifies exceptions as outages of brokers, registry or network. Unreadable data is never an outage: it is skipped,
 * rejected or dead-lettered.
 */
public final class OutageClassifier {

    private OutageClassifier() {}

    /** Returns whether brokers or registry are unavailable or reject this client, so that a retry may help. */
    public static boolean isOutage(Throwable exception) {
        boolean isOfStreams = false;
        for (Throwable cause = exception; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnreadableRecordException) {
                return false;
            }
            isOfStreams |= cause instanceof StreamsException;
        }
        return isOfStreams || RegistryFailures.isUnavailable(exception);
    }
}
