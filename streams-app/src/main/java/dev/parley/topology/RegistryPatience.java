package dev.parley.topology;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the registry where it does not answer, saying so now and then. For the views: their thread, once it has failed, stays down for the life of the
 * process, and they can do nothing else meanwhile.
 */
final class RegistryPatience {
    private static final Logger LOG = LoggerFactory.getLogger(RegistryPatience.class);
    private static final int PAUSE_SECONDS = 5;

    private RegistryPatience() {}

    /**
     * Does something until the registry does not stand in its way.
     *
     * @param topic the topic whose records are read or made, for the log
     * @throws RuntimeException what it throws, an outage apart
     */
    static <T> T await(String topic, Supplier<T> action) {
        while (true) {
            try {
                return action.get();
            } catch (RuntimeException e) {
                if (!Outages.isOutage(e)) {
                    throw e;
                }
                LOG.error("Cannot handle {} now: {}; trying again in {} s", topic, e.getMessage(), PAUSE_SECONDS);
            }
            try {
                TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
            } catch (InterruptedException e) {
                throw new InterruptException(e);
            }
        }
    }
}
