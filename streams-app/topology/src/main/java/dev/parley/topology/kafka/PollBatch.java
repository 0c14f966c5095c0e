package dev.parley.topology.kafka;

import dev.parley.topology.topics.KafkaHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;

/** Adds polls of few records to one, up to a number of records and bytes. Not thread-safe. */
final class PollBatch {
    private final Function<Duration, ConsumerRecords<byte[], byte[]>> consumer;
    private final int maxRecords;
    private final int maxBytes;

    /** A wakeup during a poll that was added; thrown by the next poll. */
    private WakeupException wakeup;

    /**
     * Creates batches.
     *
     * @param consumer polls with a maximum wait
     * @param maxRecords number of records after which a batch ends
     * @param maxBytes bytes of keys, values and headers after which a batch ends
     */
    PollBatch(Function<Duration, ConsumerRecords<byte[], byte[]>> consumer, int maxRecords, int maxBytes) {
        this.consumer = consumer;
        this.maxRecords = maxRecords;
        this.maxBytes = maxBytes;
    }

    /**
     * Returns the next records.
     *
     * @param timeout maximum wait for the first one
     * @throws KafkaException if the first poll fails. A batch ends before a later poll that fails; then the next batch
     *     fails in the same way, because the position is still before the failure.
     */
    ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        if (wakeup != null) {
            WakeupException thrown = wakeup;
            wakeup = null;
            throw thrown;
        }
        ConsumerRecords<byte[], byte[]> first = consumer.apply(timeout);
        int records = first.count();
        long bytes = bytes(first);
        if (records == 0 || records >= maxRecords || bytes >= maxBytes) {
            return first;
        }
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> all = new LinkedHashMap<>();
        Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
        ConsumerRecords<byte[], byte[]> polled = first;
        while (!polled.isEmpty()) {
            for (TopicPartition partition : polled.partitions()) {
                all.computeIfAbsent(partition, any -> new ArrayList<>()).addAll(polled.records(partition));
            }
            next.putAll(polled.nextOffsets());
            if (records >= maxRecords || bytes >= maxBytes) {
                break;
            }
            polled = more();
            records += polled.count();
            bytes += bytes(polled);
        }
        return new ConsumerRecords<>(all, next);
    }

    private ConsumerRecords<byte[], byte[]> more() {
        try {
            return consumer.apply(Duration.ZERO);
        } catch (WakeupException e) {
            wakeup = e;
        } catch (KafkaException e) {
            // The next poll fails again, and can throw, because it has no records to lose.
        }
        return ConsumerRecords.empty();
    }

    private static long bytes(ConsumerRecords<byte[], byte[]> polled) {
        long bytes = 0;
        for (ConsumerRecord<byte[], byte[]> record : polled) {
            bytes += Math.max(0, record.serializedKeySize())
                    + Math.max(0, record.serializedValueSize())
                    + KafkaHeaders.size(record.headers());
        }
        return bytes;
    }
}
