package dev.parley.server.operations;

import dev.parley.server.deployment.Deployment;
import dev.parley.server.deployment.Deployment.StreamsApplication;
import dev.parley.server.operations.ChangePlan.Step;
import dev.parley.topology.topics.AdminFutures;
import dev.parley.topology.topics.AdminOffsets;
import dev.parley.topology.topics.TopicInventory;
import dev.parley.topology.topics.TopicSetup;
import dev.parley.topology.topics.Topics;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Resets the pipeline's input offsets so that the next start reprocesses the input. A second pass into the same topics
 * would write every audit record twice, so a reset empties the outputs or is refused.
 *
 * <p>Kafka's StreamsResetter handles one application, prints as it works, and keeps outputs; this reset covers three
 * applications and their outputs, and shows the plan first. Outputs come first and offsets last, so an interrupted
 * reset never leaves a pipeline that would write twice.
 */
public final class Reset {
    private final Admin admin;
    private final Deployment deployment;
    private final boolean emptyOutputs;
    private final List<Step> steps = new ArrayList<>();
    private final List<String> refusals = new ArrayList<>();

    private Reset(Admin admin, Deployment deployment, boolean emptyOutputs) {
        this.admin = admin;
        this.deployment = deployment;
        this.emptyOutputs = emptyOutputs;
    }

    /**
     * Plans the reset; changes nothing.
     *
     * @param from time of the first records to read; empty for the beginning
     * @param emptyOutputs whether the outputs may be deleted
     */
    public static ChangePlan plan(Admin admin, Deployment deployment, Optional<Instant> from, boolean emptyOutputs) {
        Reset reset = new Reset(admin, deployment, emptyOutputs);
        reset.addSteps(from);
        return new ChangePlan(reset.steps, reset.refusals);
    }

    private void addSteps(Optional<Instant> from) {
        Set<String> names = new TreeSet<>(deployment.outputs());
        names.addAll(deployment.pipeline().reads());
        deployment.applications().forEach(application -> names.addAll(application.internalTopics()));
        // Also if the setting that creates it was changed since the last run.
        names.add(Topics.repartition(deployment.pipeline().applicationId()));
        TopicInventory topics = TopicInventory.describe(admin, names);
        if (!topics.hidden().isEmpty()) {
            throw new TopicAuthorizationException(topics.hidden());
        }
        Map<TopicPartition, Long> starts = starts(topics, from);
        outputs(topics);
        topics.existing().keySet().stream()
                .filter(this::isInternal)
                .forEach(name -> steps.add(new Step(
                        "delete", "topic " + name, "internal; recreated at the next start", () -> delete(name))));
        ChangePlan local = StateCleanup.plan(deployment);
        steps.addAll(local.steps());
        refusals.addAll(local.refusals());
        for (StreamsApplication application : deployment.applications()) {
            group(application.applicationId());
        }
        starts.forEach((partition, offset) -> steps.add(new Step(
                "set",
                "committed offset of " + deployment.pipeline().applicationId() + " in " + partition,
                "offset " + offset,
                () -> AdminFutures.of(admin.alterConsumerGroupOffsets(
                                deployment.pipeline().applicationId(), Map.of(partition, new OffsetAndMetadata(offset)))
                        .all()))));
    }

    private boolean isInternal(String name) {
        return name.equals(Topics.repartition(deployment.pipeline().applicationId()))
                || deployment.applications().stream()
                        .anyMatch(application -> application.internalTopics().contains(name));
    }

    private void outputs(TopicInventory topics) {
        List<TopicDescription> outputs = topics.existing().values().stream()
                .filter(topic -> deployment.outputs().contains(topic.name()))
                .toList();
        if (emptyOutputs) {
            Map<String, Config> configs = TopicSetup.configs(
                    admin, outputs.stream().map(TopicDescription::name).toList());
            outputs.forEach(output -> empty(output, configs.get(output.name())));
            return;
        }
        for (TopicDescription output : outputs) {
            long records = CommittedOffsetCheck.records(admin, output);
            if (records > 0) {
                refusals.add("Topic " + output.name() + " is not empty (about " + records
                        + " records). A second pass over the input would write them again, and no audit chain"
                        + " would verify. Copy the records to keep, then pass --empty-outputs.");
            }
        }
    }

    /**
     * Recreates a compacted topic, because it cannot be emptied. Recreating all outputs also invalidates every local
     * state.
     */
    private void empty(TopicDescription output, Config config) {
        if (config == null) {
            throw new TopicAuthorizationException(Set.of(output.name()));
        }
        Map<String, String> own = new TreeMap<>();
        config.entries().stream()
                .filter(entry -> entry.source() == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG)
                .forEach(entry -> own.put(entry.name(), entry.value()));
        short replicas = (short) output.partitions().get(0).replicas().size();
        NewTopic recreated = new NewTopic(output.name(), output.partitions().size(), replicas).configs(own);
        steps.add(new Step(
                "empty",
                "topic " + output.name(),
                "deletes about " + counted(CommittedOffsetCheck.records(admin, output), "record")
                        + "; recreated with " + counted(recreated.numPartitions(), "partition") + ", "
                        + counted(replicas, "replica") + ", " + own,
                () -> recreate(recreated)));
    }

    private void delete(String topic) {
        try {
            AdminFutures.of(admin.deleteTopics(List.of(topic)).all());
        } catch (UnknownTopicOrPartitionException e) {
            // Already deleted.
        }
    }

    /** Deletes a topic and creates it again; retries creation while the brokers still complete the deletion. */
    private void recreate(NewTopic topic) {
        delete(topic.name());
        AdminFutures.retried(
                () -> admin.createTopics(List.of(topic)).all(),
                TopicExistsException.class,
                "Interrupted while recreating " + topic.name() + ". The topic is deleted: " + topic);
    }

    private static String counted(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    private void group(String group) {
        Optional<Group> found = Group.of(admin, group);
        if (found.isEmpty()) {
            return;
        }
        found.get().refusal(group).ifPresent(refusals::add);
        steps.add(new Step(
                "delete",
                "group " + group,
                "its committed offsets",
                () -> AdminFutures.of(admin.deleteConsumerGroups(List.of(group)).all())));
    }

    private Map<TopicPartition, Long> starts(TopicInventory topics, Optional<Instant> from) {
        List<TopicPartition> inputs = deployment.pipeline().reads().stream()
                .filter(topics.existing()::containsKey)
                .flatMap(name -> topics.existing().get(name).partitions().stream()
                        .map(partition -> new TopicPartition(name, partition.partition())))
                .toList();
        Map<TopicPartition, Long> starts = new TreeMap<>(AdminOffsets.ORDER);
        starts.putAll(AdminOffsets.of(
                admin,
                inputs,
                from.map(time -> OffsetSpec.forTimestamp(time.toEpochMilli())).orElseGet(OffsetSpec::earliest)));
        // No record is as late.
        Map<TopicPartition, Long> ends = AdminOffsets.of(admin, inputs, OffsetSpec.latest());
        starts.replaceAll((partition, offset) -> offset < 0 ? ends.get(partition) : offset);
        return starts;
    }
}
