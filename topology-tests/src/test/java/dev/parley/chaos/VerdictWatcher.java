package dev.parley.chaos;

import dev.parley.protocol.TopicNames;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads committed verdicts, and measures the longest time without one per audit partition: the effect of a fault on
 * consumers. A task writes its verdicts to the partition of its number.
 */
final class VerdictWatcher implements AutoCloseable {
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Thread thread = new Thread(this::read, "pulse");
    private final Map<TopicPartition, Long> last = new ConcurrentHashMap<>();
    private final AtomicLong longest = new AtomicLong();

    VerdictWatcher(String brokers) {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                brokers,
                "isolation.level",
                "read_committed",
                "request.timeout.ms",
                5_000,
                "enable.auto.commit",
                false);
        consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        List<TopicPartition> partitions = consumer.partitionsFor(TopicNames.DEFAULT.audit()).stream()
                .map(info -> new TopicPartition(TopicNames.DEFAULT.audit(), info.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToEnd(partitions);
        partitions.forEach(partition -> last.put(partition, System.nanoTime()));
        thread.setDaemon(true);
        thread.start();
    }

    private void read() {
        try {
            while (true) {
                Set<TopicPartition> spoke =
                        consumer.poll(Duration.ofMillis(100)).partitions();
                long now = System.nanoTime();
                for (TopicPartition partition : spoke) {
                    longest.accumulateAndGet(now - last.put(partition, now), Math::max);
                }
            }
        } catch (WakeupException e) {
            // Closed.
        }
    }

    /** Begins to note. */
    void begin() {
        long now = System.nanoTime();
        last.replaceAll((partition, before) -> now);
        longest.set(0);
    }

    /** The longest time without a verdict in one partition since then, in seconds. */
    double longestSilence() {
        return longest.get() / 1e9;
    }

    @Override
    public void close() throws InterruptedException {
        consumer.wakeup();
        thread.join();
        consumer.close();
    }
}
