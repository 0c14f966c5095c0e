package dev.parley.server.operations;

import dev.parley.avro.Accounting;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.SizeBoundedConsumer;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.pipeline.PipelineStores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Reads the pipeline's counts of each input partition from the changelog of their store. The changelog gets one record
 * per input partition and commit, and compaction runs late, so only its end is read. The counts of long idle partitions
 * are therefore unknown here; the pipeline itself always knows them.
 */
final class InputCountReader {
    private static final long MAX_RECORDS = 100_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Duration POLL = Duration.ofMillis(200);

    private InputCountReader() {}

    /**
     * Reads the counts.
     *
     * @throws org.apache.kafka.common.KafkaException if the brokers or the registry do not respond in time, or a record
     *     cannot be read
     */
    static Map<TopicPartition, Accounting> read(ParleyConfig config, String applicationId) {
        String changelog = applicationId + "-" + PipelineStores.INPUTS + "-changelog";
        Map<String, Object> settings = StreamsSettings.committedReader(StreamsSettings.clientSettings(config));
        try (AvroSerdes serdes = AvroSerdes.fromConfig(config.registrySettings());
                KafkaConsumer<byte[], byte[]> consumer = new SizeBoundedConsumer(settings)) {
            List<PartitionInfo> infos = consumer.partitionsFor(changelog);
            List<TopicPartition> partitions = infos.stream()
                    .map(info -> new TopicPartition(changelog, info.partition()))
                    .toList();
            return read(consumer, partitions, serdes.values(Accounting.class).deserializer());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<TopicPartition, Accounting> read(
            KafkaConsumer<byte[], byte[]> consumer,
            List<TopicPartition> partitions,
            Deserializer<Accounting> accountings) {
        Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        consumer.assign(partitions);
        partitions.forEach(partition ->
                consumer.seek(partition, Math.max(begins.get(partition), ends.get(partition) - MAX_RECORDS)));
        Map<String, byte[]> last = new HashMap<>();
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (partitions.stream().anyMatch(partition -> consumer.position(partition) < ends.get(partition))) {
            if (System.nanoTime() > deadline) {
                throw new TimeoutException("Timed out after " + TIMEOUT.toSeconds() + " s reading "
                        + partitions.get(0).topic() + " to its end");
            }
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                last.put(new String(record.key(), StandardCharsets.UTF_8), record.value());
            }
        }
        Map<TopicPartition, Accounting> counted = new HashMap<>();
        last.values().stream()
                .flatMap(value -> Optional.ofNullable(value).stream())
                .map(value -> accountings.deserialize(partitions.get(0).topic(), value))
                .filter(accounting -> accounting.getNextOffset() >= 0)
                .forEach(accounting ->
                        counted.put(new TopicPartition(accounting.getTopic(), accounting.getPartition()), accounting));
        return counted;
    }
}
