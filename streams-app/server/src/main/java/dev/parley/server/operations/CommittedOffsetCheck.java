package dev.parley.server.operations;

import dev.parley.avro.Accounting;
import dev.parley.serde.AvroSerdes;
import dev.parley.server.deployment.Deployment.StreamsApplication;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.kafka.TopicReader;
import dev.parley.topology.pipeline.PipelineStores;
import dev.parley.topology.topics.AdminFutures;
import dev.parley.topology.topics.AdminOffsets;
import dev.parley.topology.topics.Check;
import dev.parley.topology.topics.Finding;
import dev.parley.topology.topics.TopicInventory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Checks that the pipeline continues where it stopped: compares the group's committed offsets, the extent of the input
 * partitions, and the pipeline's counts. Without counts, a pipeline without committed offsets would write the audit
 * trail a second time.
 */
record CommittedOffsetCheck(Admin admin, ParleyConfig config, StreamsApplication pipeline, List<Finding> findings) {

    private static final long MAX_COUNTS = 100_000;

    void run(TopicInventory topics) {
        TopicDescription audit = topics.existing().get(config.topics().audit());
        try {
            Map<TopicPartition, Accounting> counted = counted(topics);
            Map<TopicPartition, Long> committed = AdminOffsets.committed(admin, pipeline.applicationId());
            committed.keySet().removeIf(partition -> !pipeline.reads().contains(partition.topic()));
            counted.keySet().removeIf(partition -> !topics.existing().containsKey(partition.topic()));
            if (!counted.isEmpty()) {
                extent(topics, counted);
                resume(counted, committed);
                return;
            }
            if (audit == null || !committed.isEmpty() || records(admin, audit) == 0) {
                return;
            }
        } catch (AuthorizationException e) {
            // AccessCheck reports a missing permission on the group or the topic.
            return;
        }
        withoutCounts(topics);
    }

    private void withoutCounts(TopicInventory topics) {
        boolean hasRun = pipeline.internalTopics().stream().anyMatch(topics.existing()::containsKey);
        if (hasRun) {
            findings.add(Check.OFFSETS_MISSING.finding(
                    "group " + pipeline.applicationId(),
                    "The group has no committed offsets, so the pipeline will read all of the input, although "
                            + config.topics().audit() + " is not empty.",
                    "If the first run stopped before its first commit, no action is needed. If the offsets "
                            + "have expired, run parley reset."));
        } else {
            findings.add(Check.OUTPUTS_TAKEN.finding(
                    "topic " + config.topics().audit(),
                    "The topic has records, but " + pipeline.applicationId()
                            + " has never run: it would judge all of the input again and record it a second "
                            + "time.",
                    "Set application.id to the application that wrote the topic, or empty the outputs with "
                            + "parley reset --empty-outputs."));
        }
    }

    /** The pipeline's counts, as far as they can be read. */
    private Map<TopicPartition, Accounting> counted(TopicInventory topics) {
        Map<TopicPartition, Accounting> counted = new TreeMap<>(AdminOffsets.ORDER);
        String changelog = pipeline.applicationId() + "-" + PipelineStores.INPUTS + "-changelog";
        if (topics.existing().containsKey(changelog)) {
            try {
                counts(changelog)
                        .forEach(accounting -> counted.put(
                                new TopicPartition(accounting.getTopic(), accounting.getPartition()), accounting));
            } catch (AuthorizationException e) {
                throw e;
            } catch (KafkaException e) {
                findings.add(Check.NOT_CHECKED.finding(
                        "input positions",
                        "Cannot read the pipeline's counts: " + AdminFutures.root(e) + ".",
                        "No action needed: the pipeline itself checks every input partition when it reads it."));
            }
        }
        return counted;
    }

    /**
     * Reads the counts of each input partition from the changelog of their store. It gets one record per input
     * partition and commit, and compaction runs late, so only its end is read. The counts of long idle partitions are
     * therefore unknown here; the pipeline itself always knows them.
     *
     * @throws KafkaException if the brokers or the registry do not respond in time, or a record cannot be read
     */
    private List<Accounting> counts(String changelog) {
        Map<String, byte[]> last = new HashMap<>();
        try (AvroSerdes serdes = AvroSerdes.fromConfig(config.registrySettings());
                TopicReader reader = new TopicReader(StreamsSettings.clientSettings(config))) {
            List<TopicPartition> partitions = reader.partitions(List.of(changelog));
            reader.readLast(partitions, MAX_COUNTS, record -> last.put(TopicReader.key(record), record.value()));
            Deserializer<Accounting> accountings =
                    serdes.values(Accounting.class).deserializer();
            return last.values().stream()
                    .filter(Objects::nonNull)
                    .map(value -> accountings.deserialize(changelog, value))
                    .filter(accounting -> accounting.getNextOffset() >= 0)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Checks that the partitions are still those that were read, and still contain the unread records. */
    private void extent(TopicInventory topics, Map<TopicPartition, Accounting> counted) {
        Map<TopicPartition, Long> begins = AdminOffsets.of(admin, counted.keySet(), OffsetSpec.earliest());
        Map<TopicPartition, Long> ends = AdminOffsets.of(admin, counted.keySet(), OffsetSpec.latest());
        counted.forEach((partition, accounting) -> {
            long next = accounting.getNextOffset();
            String id = topics.existing().get(partition.topic()).topicId().toString();
            boolean recreated =
                    accounting.getTopicId() != null && !accounting.getTopicId().equals(id);
            if (recreated || ends.get(partition) < next) {
                findings.add(Check.INPUT_RECREATED.finding(
                        "input " + partition,
                        "The pipeline has read up to offset " + next + ", but "
                                + (recreated
                                        ? "the topic was deleted and created again."
                                        : "the partition ends at " + ends.get(partition)
                                                + ": the topic was created again, or the brokers lost records."),
                        "Restore the topic, or start a new audit trail: parley reset --empty-outputs."));
            } else if (begins.get(partition) > next) {
                findings.add(Check.INPUT_LOST.finding(
                        "input " + partition,
                        "The offsets " + next + " to " + (begins.get(partition) - 1)
                                + " were deleted before they were read: at most " + (begins.get(partition) - next)
                                + " records. They will be counted as unread, and recorded as INPUT_EXPIRED.",
                        "Raise the input retention (topics.retention.inputs.ms), and ask the agents to resend "
                                + "important messages."));
            }
        });
    }

    private void resume(Map<TopicPartition, Accounting> counted, Map<TopicPartition, Long> committed) {
        List<TopicPartition> lagging = counted.entrySet().stream()
                .filter(entry -> committed.getOrDefault(entry.getKey(), -1L)
                        < entry.getValue().getNextOffset())
                .map(Map.Entry::getKey)
                .toList();
        if (!lagging.isEmpty()) {
            findings.add(Check.OFFSETS_MISSING.finding(
                    "group " + pipeline.applicationId(),
                    "Its committed offsets are missing or lower than the judged offsets in " + lagging
                            + ". Judged input is read again and skipped; no record is written twice.",
                    "Find out why the offsets were deleted: offsets.retention.minutes of the brokers, or a tool. The "
                            + "pipeline needs no action."));
        }
    }

    /** The number of offsets in a topic: slightly more than its records, because transaction markers take some. */
    static long records(Admin admin, TopicDescription topic) {
        List<TopicPartition> partitions = topic.partitions().stream()
                .map(partition -> new TopicPartition(topic.name(), partition.partition()))
                .toList();
        return sum(AdminOffsets.of(admin, partitions, OffsetSpec.latest()))
                - sum(AdminOffsets.of(admin, partitions, OffsetSpec.earliest()));
    }

    private static long sum(Map<TopicPartition, Long> offsets) {
        return offsets.values().stream().mapToLong(Long::longValue).sum();
    }
}
