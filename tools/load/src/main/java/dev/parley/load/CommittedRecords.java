package dev.parley.load;

import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Consumers of committed records. */
public final class CommittedRecords {
    private CommittedRecords() {}

    /**
     * Creates a consumer of all partitions of a topic, positioned at their beginning.
     *
     * @param brokers bootstrap servers
     */
    public static KafkaConsumer<byte[], byte[]> of(String brokers, String topic) {
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        brokers,
                        "isolation.level",
                        "read_committed",
                        "enable.auto.commit",
                        false,
                        "fetch.max.wait.ms",
                        100),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.assign(consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList());
        consumer.seekToBeginning(consumer.assignment());
        return consumer;
    }
}
