package dev.parley.embedded;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Asks a cluster from outside, as any client would. */
final class Cluster {
    private Cluster() {}

    static void createTopic(EmbeddedKafka kafka, String topic) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
        }
    }

    /** Writes in one transaction. */
    static void write(EmbeddedKafka kafka, String topic, String... values) throws Exception {
        Map<String, Object> configs = Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "transactional.id",
                "writer-of-" + topic,
                "max.request.size",
                20 << 20);
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(configs, new StringSerializer(), new StringSerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            for (String value : values) {
                producer.send(new ProducerRecord<>(topic, value)).get();
            }
            producer.commitTransaction();
        }
    }

    /** The committed values of a topic, as soon as there are that many. */
    static List<String> read(EmbeddedKafka kafka, String topic, int count) {
        Map<String, Object> configs = Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "isolation.level",
                "read_committed",
                "enable.auto.commit",
                false);
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(configs, new StringDeserializer(), new StringDeserializer())) {
            TopicPartition partition = new TopicPartition(topic, 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            List<String> values = new ArrayList<>();
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
                return values.size() >= count;
            });
            return values;
        }
    }
}
