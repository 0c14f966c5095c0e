package dev.parley.cli.export;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Reads the committed records of whole topics, in the order of each partition. Not thread-safe. */
public final class TopicRecords implements AutoCloseable {
    private final TopicReader reader;

    /**
     * Creates a reader.
     *
     * @param clients common settings of the Kafka clients
     */
    public TopicRecords(Map<String, Object> clients) {
        this.reader = new TopicReader(clients);
    }

    /**
     * Reads the records that exist at the start. Topics that do not exist have none.
     *
     * @param listener listener for progress in records
     */
    public void read(
            Collection<String> topics, ProgressListener listener, Consumer<ConsumerRecord<byte[], byte[]>> each) {
        List<TopicPartition> partitions = reader.partitions(topics);
        Map<TopicPartition, Long> begins = reader.begins(partitions);
        Map<TopicPartition, Long> ends = reader.ends(partitions);
        long total = partitions.stream()
                .mapToLong(partition -> ends.get(partition) - begins.get(partition))
                .sum();
        long[] done = {0};
        reader.read(begins, ends, record -> {
            listener.progress(Math.min(++done[0], total), total);
            each.accept(record);
        });
    }

    @Override
    public void close() {
        reader.close();
    }
}
