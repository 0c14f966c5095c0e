package dev.parley.load.run;

import dev.parley.load.CommittedRecords;
import dev.parley.load.Markdown;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.utils.Utils;

/**
 * Average records of a topic.
 *
 * @param topic its name, for an internal topic without the application ID
 * @param records records per input message
 * @param key bytes of the key of a record
 * @param headers bytes of the names and values of its headers
 * @param headerCount number of its headers
 * @param value bytes of its value
 */
record TopicBytes(String topic, double records, double key, double headers, double headerCount, double value) {
    /** Records read at the end of each partition. */
    private static final long SAMPLED = 2_500;

    /** Topics with less than this many bytes per message are summarized. */
    private static final double MIN_BYTES = 0.5;

    /** Measures the last records of a topic; empty without records. */
    static Optional<TopicBytes> measure(String name, KafkaConsumer<byte[], byte[]> consumer) {
        Map<TopicPartition, Long> begins = consumer.beginningOffsets(consumer.assignment());
        Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
        ends.forEach((partition, end) -> consumer.seek(partition, Math.max(begins.get(partition), end - SAMPLED)));
        long span = ends.entrySet().stream()
                .mapToLong(end -> end.getValue() - consumer.position(end.getKey()))
                .sum();
        List<ConsumerRecord<byte[], byte[]>> sample = new ArrayList<>();
        CommittedRecords.readOn(consumer, sample::add);
        if (sample.isEmpty()) {
            return Optional.empty();
        }
        // Offsets also count the markers of transactions.
        double share = (double) sample.size() / span;
        return Optional.of(new TopicBytes(
                name,
                ends.values().stream().mapToLong(end -> end).sum() * share,
                mean(sample, record -> Math.max(0, record.serializedKeySize())),
                mean(sample, TopicBytes::headerBytes),
                mean(sample, record -> record.headers().toArray().length),
                mean(sample, record -> Math.max(0, record.serializedValueSize()))));
    }

    private static int headerBytes(ConsumerRecord<byte[], byte[]> record) {
        int bytes = 0;
        for (Header header : record.headers()) {
            bytes += Utils.utf8Length(header.key()) + (header.value() == null ? 0 : header.value().length);
        }
        return bytes;
    }

    private static double mean(
            List<ConsumerRecord<byte[], byte[]>> sample, ToIntFunction<ConsumerRecord<byte[], byte[]>> measure) {
        return sample.stream().mapToInt(measure).average().orElseThrow();
    }

    /** Returns the topic with its records per message. */
    TopicBytes per(double messages) {
        return new TopicBytes(topic, records / messages, key, headers, headerCount, value);
    }

    /** Returns the bytes of its records per input message, without the framing of records and batches. */
    double perMessage() {
        return records * (key + headers + value);
    }

    /**
     * Returns the topic of that name.
     *
     * @throws IllegalArgumentException if there is none
     */
    static TopicBytes named(List<TopicBytes> topics, String name) {
        return topics.stream()
                .filter(topic -> topic.topic.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No records in a topic " + name + " of " + topics));
    }

    /** Returns a table, the largest topic first. */
    static String table(List<TopicBytes> topics) {
        StringBuilder table = new StringBuilder(
                Markdown.head("topic", "records per message", "key", "headers", "value", "bytes per message"));
        topics.stream()
                .filter(topic -> topic.perMessage() >= MIN_BYTES)
                .sorted(Comparator.comparingDouble(TopicBytes::perMessage).reversed())
                .forEach(topic -> table.append(Markdown.row(
                        topic.topic,
                        Markdown.cell(topic.records, 2),
                        Math.round(topic.key),
                        Math.round(topic.headers),
                        Math.round(topic.value),
                        Math.round(topic.perMessage()))));
        double sum = topics.stream().mapToDouble(TopicBytes::perMessage).sum();
        return table + Markdown.row("all topics", "", "", "", "", Math.round(sum));
    }
}
