package dev.parley.server.ingest;

import dev.parley.codec.DecodeOptions;
import dev.parley.decode.WireProtocol;
import dev.parley.protocol.TopicNames;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.topics.InputTopics;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigException;

/**
 * Settings of HTTP ingest.
 *
 * @param clients settings of all Kafka clients
 * @param names names of the deployment's topics
 * @param topic input topic to write to
 * @param protocols protocols of the input topics that have one
 * @param decodeOptions limits and profile of the deployment
 * @param transactions prefix of transactional IDs
 * @param recordBytes maximum bytes of a record
 * @param bufferBytes bytes of a producer's buffer
 * @param timeout maximum time for an acknowledgment
 * @param window time for which a repeated key does not enter again
 * @param windowKeys maximum keys in the window of one partition of the key topic
 */
record IngestSettings(
        Map<String, Object> clients,
        TopicNames names,
        String topic,
        Map<String, WireProtocol<?>> protocols,
        DecodeOptions decodeOptions,
        String transactions,
        int recordBytes,
        long bufferBytes,
        Duration timeout,
        Duration window,
        int windowKeys) {

    /** @throws ConfigException if the topic is not an input topic */
    static IngestSettings of(ParleyConfig config) {
        InputTopics inputs = InputTopics.of(config);
        String topic = Optional.ofNullable(config.getString(IngestFeature.TOPIC))
                .orElse(config.topics().wire());
        if (!inputs.topics().contains(topic)) {
            throw new ConfigException(
                    IngestFeature.TOPIC,
                    topic,
                    "Value must be an input topic: " + String.join(", ", inputs.topics())
                            + ". Add others with input.policy.file");
        }
        int recordBytes = config.getInt(ParleyConfig.RECORD_BYTES);
        return new IngestSettings(
                StreamsSettings.clientSettings(config),
                config.topics(),
                topic,
                inputs.protocols(),
                config.decodeOptions(),
                config.getString(ParleyConfig.APPLICATION_ID) + "-ingest-",
                recordBytes,
                Math.max(config.getInt(IngestFeature.IN_FLIGHT_BYTES), 2L * recordBytes),
                Duration.ofMillis(config.getInt(IngestFeature.TIMEOUT_MS)),
                Duration.ofMillis(config.getLong(IngestFeature.WINDOW_MS)),
                config.getInt(IngestFeature.WINDOW_KEYS));
    }
}
