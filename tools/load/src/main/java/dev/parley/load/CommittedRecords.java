package dev.parley.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;

/** Consumers of committed records. */
public final class CommittedRecords {
    private static final int TAIL_WAIT_MS = 100;

    /** At the end of a topic, a consumer cannot close until the broker responds. */
    private static final int READ_WAIT_MS = 20;

    private static final Duration POLL = Duration.ofMillis(200);

    private CommittedRecords() {}

    /**
     * Creates a consumer of all partitions of a topic, positioned at their beginning.
     *
     * @param brokers bootstrap servers
     */
    public static KafkaConsumer<byte[], byte[]> of(String brokers, String topic) {
        return consumer(
                brokers, List.of(topic), TAIL_WAIT_MS, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /**
     * Reads topics to their present ends.
     *
     * @param brokers bootstrap servers
     * @return all committed records, those of a partition in its order
     */
    public static <K, V> List<ConsumerRecord<K, V>> read(
            String brokers, Collection<String> topics, Deserializer<K> keys, Deserializer<V> values) {
        List<ConsumerRecord<K, V>> records = new ArrayList<>();
        try (KafkaConsumer<K, V> consumer = consumer(brokers, topics, READ_WAIT_MS, keys, values)) {
            readOn(consumer, records::add);
        }
        return records;
    }

    /** Passes on the records from the position of a consumer to the present ends of its partitions. */
    public static <K, V> void readOn(KafkaConsumer<K, V> consumer, Consumer<ConsumerRecord<K, V>> each) {
        Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            consumer.poll(POLL).forEach(each);
        }
    }

    private static <K, V> KafkaConsumer<K, V> consumer(
            String brokers, Collection<String> topics, int maxWaitMs, Deserializer<K> keys, Deserializer<V> values) {
        Map<String, Object> settings = new HashMap<>(Map.of("bootstrap.servers", brokers));
        settings.put("isolation.level", "read_committed");
        settings.put("enable.auto.commit", false);
        settings.put("fetch.max.wait.ms", maxWaitMs);
        // After records were deleted.
        settings.put("auto.offset.reset", "earliest");
        KafkaConsumer<K, V> consumer = new KafkaConsumer<>(settings, keys, values);
        consumer.assign(topics.stream()
                .flatMap(topic -> consumer.partitionsFor(topic).stream())
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList());
        consumer.seekToBeginning(consumer.assignment());
        return consumer;
    }
}
