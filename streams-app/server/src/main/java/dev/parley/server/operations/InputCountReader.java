package dev.parley.server.operations;

import dev.parley.avro.Accounting;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.kafka.TopicReader;
import dev.parley.topology.pipeline.PipelineStores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Reads the pipeline's counts of each input partition from the changelog of their store. The changelog gets one record
 * per input partition and commit, and compaction runs late, so only its end is read. The counts of long idle partitions
 * are therefore unknown here; the pipeline itself always knows them.
 */
final class InputCountReader {
    private static final long MAX_RECORDS = 100_000;

    private InputCountReader() {}

    /**
     * Reads the counts.
     *
     * @throws org.apache.kafka.common.KafkaException if the brokers or the registry do not respond in time, or a record
     *     cannot be read
     */
    static Map<TopicPartition, Accounting> read(ParleyConfig config, String applicationId) {
        String changelog = applicationId + "-" + PipelineStores.INPUTS + "-changelog";
        Map<String, byte[]> last = new HashMap<>();
        try (AvroSerdes serdes = AvroSerdes.fromConfig(config.registrySettings());
                TopicReader reader = new TopicReader(StreamsSettings.clientSettings(config))) {
            List<TopicPartition> partitions = reader.partitions(List.of(changelog));
            Map<TopicPartition, Long> ends = reader.stableEnds(partitions);
            Map<TopicPartition, Long> from = reader.begins(partitions);
            from.replaceAll((partition, begin) -> Math.max(begin, ends.get(partition) - MAX_RECORDS));
            reader.read(from, ends, record -> last.put(TopicReader.key(record), record.value()));
            return counts(last.values(), serdes.values(Accounting.class).deserializer(), changelog);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<TopicPartition, Accounting> counts(
            Collection<byte[]> values, Deserializer<Accounting> accountings, String changelog) {
        Map<TopicPartition, Accounting> counted = new HashMap<>();
        values.stream()
                .filter(Objects::nonNull)
                .map(value -> accountings.deserialize(changelog, value))
                .filter(accounting -> accounting.getNextOffset() >= 0)
                .forEach(accounting ->
                        counted.put(new TopicPartition(accounting.getTopic(), accounting.getPartition()), accounting));
        return counted;
    }
}
