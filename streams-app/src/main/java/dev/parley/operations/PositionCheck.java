package dev.parley.operations;

import dev.parley.operations.Deployment.Part;
import dev.parley.topology.Topics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/**
 * Whether the pipeline goes on where it was. A pipeline without a position reads the input from its beginning; where the audit is written already, that
 * would write all of it a second time.
 */
final class PositionCheck {
    private final Admin admin;
    private final Part pipeline;
    private final List<Finding> findings;

    PositionCheck(Admin admin, Part pipeline, List<Finding> findings) {
        this.admin = admin;
        this.pipeline = pipeline;
        this.findings = findings;
    }

    void look(SeenTopics topics) {
        TopicDescription audit = topics.existing().get(Topics.AUDIT);
        try {
            if (audit == null || hasPosition() || records(admin, List.of(audit)) == 0) {
                return;
            }
        } catch (AuthorizationException e) {
            // Another check says that the group or the topic is not allowed.
            return;
        }
        boolean hasRun = pipeline.internalTopics().stream().anyMatch(topics.existing()::containsKey);
        if (hasRun) {
            findings.add(
                    new Finding(
                            Check.OFFSETS_MISSING,
                            "group " + pipeline.applicationId(),
                            "It has no position in the input, so all of the input will be read, although "
                                    + Topics.AUDIT + " is not empty.",
                            "Nothing, if the first run was cut off before it committed anything; if the position has expired, run parley reset."));
        } else {
            findings.add(
                    new Finding(
                            Check.OUTPUTS_TAKEN,
                            "topic " + Topics.AUDIT,
                            "It has records, but " + pipeline.applicationId()
                                    + " has never run: it would judge all of the input again and write the audit a second time.",
                            "Set application.id to the one that wrote it, or empty the outputs with parley reset --empty-outputs."));
        }
    }

    private boolean hasPosition() {
        try {
            Map<TopicPartition, OffsetAndMetadata> offsets = Answers.of(
                    admin.listConsumerGroupOffsets(pipeline.applicationId()).partitionsToOffsetAndMetadata());
            return offsets.entrySet().stream()
                    .anyMatch(entry -> entry.getValue() != null
                            && pipeline.reads().contains(entry.getKey().topic()));
        } catch (GroupIdNotFoundException e) {
            return false;
        }
    }

    /** How many offsets topics span; a few more than their records, for the marks of transactions have some too. */
    static long records(Admin admin, List<TopicDescription> topics) {
        Map<TopicPartition, OffsetSpec> first = new HashMap<>();
        Map<TopicPartition, OffsetSpec> next = new HashMap<>();
        topics.forEach(topic -> topic.partitions().forEach(partition -> {
            TopicPartition place = new TopicPartition(topic.name(), partition.partition());
            first.put(place, OffsetSpec.earliest());
            next.put(place, OffsetSpec.latest());
        }));
        return sum(Answers.of(admin.listOffsets(next).all()))
                - sum(Answers.of(admin.listOffsets(first).all()));
    }

    private static long sum(Map<TopicPartition, ListOffsetsResultInfo> offsets) {
        return offsets.values().stream()
                .mapToLong(ListOffsetsResultInfo::offset)
                .sum();
    }
}
