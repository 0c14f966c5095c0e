package dev.parley.cli.io;

import dev.parley.serde.RegistryFailures;
import dev.parley.serde.RegistryUnavailableException;
import dev.parley.topology.config.ParleyConfig;
import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import java.nio.file.AccessDeniedException;
import org.apache.kafka.common.errors.RetriableException;

/** Error messages for failures of brokers and registry that name the address and the setting behind it. */
public final class ClusterErrors {
    private ClusterErrors() {}

    /** What failed, where, and which setting to check; the message itself for other failures. */
    public static String describe(Throwable failure, ParleyConfig settings) {
        boolean registry = false;
        boolean brokers = false;
        Throwable root = failure;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            registry |= cause instanceof RegistryUnavailableException || cause instanceof RestClientException;
            brokers |= cause instanceof RetriableException;
            root = cause;
        }
        if (registry && RegistryFailures.isUnavailable(failure)) {
            return "the Schema Registry at " + settings.shownRegistryUrl() + " (" + ParleyConfig.REGISTRY_URL
                    + ") is unavailable: " + reason(root) + ". Set its address with --set " + ParleyConfig.REGISTRY_URL
                    + "=http://HOST:PORT.";
        }
        if (brokers) {
            return "the brokers at " + String.join(",", settings.getList(ParleyConfig.BOOTSTRAP_SERVERS)) + " ("
                    + ParleyConfig.BOOTSTRAP_SERVERS + "): " + reason(failure);
        }
        return reason(failure);
    }

    private static String reason(Throwable failure) {
        if (failure instanceof AccessDeniedException) {
            return "permission denied: " + failure.getMessage();
        }
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }
}
