package dev.parley.topology.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.testing.SharedCluster;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The consumer of the pipeline where one partition has a backlog of records that take long. */
@Tag("long")
class BacklogIT {
    private static final int BACKLOG = 400;
    private static final int POLL = 10;
    private static final Duration WAIT = Duration.ofSeconds(10);

    private final Map<String, Object> clients = Map.of("bootstrap.servers", SharedCluster.brokers());
    private final String topic = SharedCluster.newDeployment().prefix() + "backlog";
    private final TopicPartition slow = new TopicPartition(topic, 0);
    private final TopicPartition other = new TopicPartition(topic, 1);

    @Test
    void aRecordOfAnotherPartitionDoesNotWaitForTheBacklog() throws Exception {
        try (Admin admin = Admin.create(clients)) {
            admin.createTopics(List.of(new NewTopic(topic, 2, (short) 1))).all().get();
        }
        Map<String, Object> settings = new HashMap<>(clients);
        settings.put("max.poll.records", POLL);
        settings.put("auto.offset.reset", "earliest");
        try (BrokerTopicMetadata supplier = new BrokerTopicMetadata(clients);
                Producer<byte[], byte[]> producer =
                        new KafkaProducer<>(clients, new ByteArraySerializer(), new ByteArraySerializer());
                Consumer<byte[], byte[]> consumer = supplier.getConsumer(settings)) {
            for (int i = 0; i < BACKLOG; i++) {
                producer.send(new ProducerRecord<>(topic, slow.partition(), null, new byte[100]));
            }
            producer.flush();
            consumer.assign(List.of(slow, other));
            assertThat(consumer.poll(WAIT).partitions()).containsExactly(slow);
            producer.send(new ProducerRecord<>(topic, other.partition(), null, new byte[100]))
                    .get();

            int before = POLL;
            ConsumerRecords<byte[], byte[]> polled = pollAfterWork(consumer);
            while (polled.records(other).isEmpty()) {
                before += polled.count();
                assertThat(before).as("records of the backlog before it").isLessThan(BACKLOG);
                polled = pollAfterWork(consumer);
            }
            assertThat(consumer.paused()).isEmpty();
        }
    }

    /** Polls after a time in which a thread would have processed the last records. */
    private static ConsumerRecords<byte[], byte[]> pollAfterWork(Consumer<byte[], byte[]> consumer) {
        long end = System.nanoTime() + Duration.ofMillis(25).toNanos();
        await().until(() -> System.nanoTime() > end);
        return consumer.poll(WAIT);
    }
}
