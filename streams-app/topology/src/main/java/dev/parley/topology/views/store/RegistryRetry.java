package dev.parley.topology.views.store;

import dev.parley.serde.UnreadableRecordException;
import dev.parley.topology.kafka.OutageClassifier;
import dev.parley.topology.topics.Topic;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads and writes the values of the views' topics, and retries while the registry is unavailable. A global stream
 * thread that fails is not restarted, so the views wait instead of failing.
 */
public final class RegistryRetry {
    private static final Logger LOG = LoggerFactory.getLogger(RegistryRetry.class);
    private static final int RETRY_SECONDS = 5;

    private RegistryRetry() {}

    /**
     * Reads the value of a record, and waits during an outage.
     *
     * @throws UnreadableRecordException if the bytes are null or not a value of this topic
     */
    public static <V> V read(Topic<?, V> topic, byte[] value) {
        if (value == null) {
            throw new UnreadableRecordException("The record has no value");
        }
        return await(topic.name(), () -> topic.read(value));
    }

    /** Serializes a value, and waits during an outage. */
    public static <V> byte[] write(Topic<?, V> topic, V value) {
        return await(topic.name(), () -> topic.write(value));
    }

    private static <T> T await(String topic, Supplier<T> action) {
        while (true) {
            try {
                return action.get();
            } catch (RuntimeException e) {
                if (!OutageClassifier.isOutage(e)) {
                    throw e;
                }
                LOG.error(
                        "The registry is unavailable while processing {}: {}; retrying in {} s",
                        topic,
                        e.getMessage(),
                        RETRY_SECONDS);
            }
            try {
                TimeUnit.SECONDS.sleep(RETRY_SECONDS);
            } catch (InterruptedException e) {
                throw new InterruptException(e);
            }
        }
    }
}
