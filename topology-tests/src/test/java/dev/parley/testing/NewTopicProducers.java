package dev.parley.testing;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * Settings of producers that write to a topic right after its creation. The broker may refuse the first batch of a new
 * partition and accept the second one; it then refuses the first one until the producer gives up (KAFKA-15591).
 */
public final class NewTopicProducers {
    private NewTopicProducers() {}

    /** Returns the settings with one batch at a time. */
    public static Map<String, Object> settings(Map<String, Object> clients) {
        Map<String, Object> settings = new HashMap<>(clients);
        settings.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        return settings;
    }
}
