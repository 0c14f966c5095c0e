package dev.parley.topology;

import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.Deserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the registry where it does not answer, saying so now and then. For the views: their thread, once it has failed, stays down for the life of the
 * process, and they can do nothing else meanwhile.
 */
record PatientDeserializer<T>(Deserializer<T> inner) implements Deserializer<T> {
    private static final Logger LOG = LoggerFactory.getLogger(PatientDeserializer.class);
    private static final int PAUSE_SECONDS = 5;

    @Override
    public T deserialize(String topic, byte[] bytes) {
        while (true) {
            try {
                return inner.deserialize(topic, bytes);
            } catch (RuntimeException e) {
                if (!InternalDeadLetters.isOutage(e)) {
                    throw e;
                }
                LOG.error("Cannot read {} now: {}; trying again in {} s", topic, e.getMessage(), PAUSE_SECONDS);
            }
            try {
                TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
            } catch (InterruptedException e) {
                throw new InterruptException(e);
            }
        }
    }
}
