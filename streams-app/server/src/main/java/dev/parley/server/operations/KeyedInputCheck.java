package dev.parley.server.operations;

import dev.parley.server.deployment.Deployment.StreamsApplication;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.kafka.TopicReader;
import dev.parley.topology.pipeline.PipelineStores;
import dev.parley.topology.topics.ChainPartitioner;
import dev.parley.topology.topics.Check;
import dev.parley.topology.topics.Finding;
import dev.parley.topology.topics.InputTopics;
import dev.parley.topology.topics.TopicInventory;
import dev.parley.topology.topics.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;

/**
 * Checks {@link ParleyConfig#KEYED}. It decides the partition that has the state of a conversation, so it must stay as
 * in the first run. If it is set, the last records of each input partition must be in the partitions of their keys.
 */
record KeyedInputCheck(ParleyConfig config, StreamsApplication pipeline, List<Finding> findings) {
    /** Number of offsets that are read of each partition. */
    private static final int LAST = 3;

    /** Maximum number of partitions whose records are read. */
    private static final int MAX_PARTITIONS = 16;

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    void run(TopicInventory topics) {
        boolean keyed = config.getBoolean(ParleyConfig.KEYED);
        String repartition = Topics.repartition(pipeline.applicationId());
        boolean hasRun = topics.existing()
                .containsKey(pipeline.applicationId() + "-" + PipelineStores.CONVERSATIONS + "-changelog");
        if (hasRun && topics.existing().containsKey(repartition) == keyed) {
            findings.add(Check.KEYED_CHANGED.finding(
                    ParleyConfig.KEYED,
                    "The setting is " + keyed + ", but the deployment has run with " + !keyed + ": topic " + repartition
                            + (keyed ? " exists." : " does not exist.")
                            + " Conversations would begin again in other partitions.",
                    "Set it to " + !keyed + " again. To change it, stop every instance and start a new audit trail: "
                            + "parley reset --empty-outputs."));
        }
        if (keyed) {
            placement(topics);
        }
    }

    /** Reports each topic in which one of the last records is not in the partition of its key. */
    private void placement(TopicInventory topics) {
        List<TopicPartition> partitions = InputTopics.of(config).topics().stream()
                .filter(topics.existing()::containsKey)
                .flatMap(topic -> topics.existing().get(topic).partitions().stream()
                        .map(info -> new TopicPartition(topic, info.partition())))
                .limit(MAX_PARTITIONS)
                .toList();
        Map<String, Finding> found = new TreeMap<>();
        try (TopicReader reader = new TopicReader(StreamsSettings.clientSettings(config), TIMEOUT)) {
            reader.readLast(partitions, LAST, record -> {
                int count = topics.existing().get(record.topic()).partitions().size();
                if (record.key() != null && ChainPartitioner.partition(record.key(), count) != record.partition()) {
                    found.putIfAbsent(record.topic(), misplaced(record, count));
                }
            });
        } catch (AuthorizationException e) {
            // AccessCheck reports a missing permission on the topic.
        }
        findings.addAll(found.values());
    }

    private static Finding misplaced(ConsumerRecord<byte[], byte[]> record, int count) {
        return Check.INPUT_MISPLACED.finding(
                "topic " + record.topic(),
                "The record at " + record.topic() + "-" + record.partition() + "@" + record.offset()
                        + " has a key of partition " + ChainPartitioner.partition(record.key(), count)
                        + ". Such records become dead letters (KEY_MISPLACED).",
                "Set partitioner=murmur2_random in clients that use librdkafka, and let producers name no partition.");
    }
}
