package dev.parley.operations;

import dev.parley.operations.Deployment.Part;
import dev.parley.operations.Plan.Step;
import dev.parley.topology.TopicSetup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.TopicAuthorizationException;

/**
 * Goes back in the input and lets everything be made again. The audit is one chain of verdicts on each conversation; to judge the input a second time into
 * the same topics would write every link twice. So a reset empties the outputs, or is refused.
 *
 * <p>Kafka's own StreamsResetter does one application, prints as it goes, and leaves outputs alone; here three applications and their outputs go together, and what
 * will be done is known before. The order is such that a reset that was cut off never leaves a pipeline that would write twice: outputs first,
 * positions last.
 */
public final class Reset {
    private final Admin admin;
    private final Deployment deployment;
    private final Options options;
    private final List<Step> steps = new ArrayList<>();
    private final List<String> refusals = new ArrayList<>();

    private Reset(Admin admin, Deployment deployment, Options options) {
        this.admin = admin;
        this.deployment = deployment;
        this.options = options;
    }

    /**
     * Where to begin, and what may be lost.
     *
     * @param from begin with the first records of this time or later; empty for the beginning
     * @param offsets begin here, in partitions that need something else
     * @param emptyOutputs whether what was written may be deleted
     */
    public record Options(Optional<Instant> from, Map<TopicPartition, Long> offsets, boolean emptyOutputs) {
        /** Copies the offsets. */
        public Options {
            offsets = Map.copyOf(offsets);
        }
    }

    /** What would be done; nothing is changed by asking. */
    public static Plan of(Admin admin, Deployment deployment, Options options) {
        Reset reset = new Reset(admin, deployment, options);
        reset.plan();
        return new Plan(reset.steps, reset.refusals);
    }

    private void plan() {
        Set<String> names = new TreeSet<>(deployment.outputs());
        names.addAll(deployment.pipeline().reads());
        deployment.parts().forEach(part -> names.addAll(part.internalTopics()));
        SeenTopics topics = SeenTopics.look(admin, names);
        if (!topics.hidden().isEmpty()) {
            throw new TopicAuthorizationException(topics.hidden());
        }
        Map<TopicPartition, Long> starts = starts(topics);
        outputs(topics);
        topics.existing().keySet().stream()
                .filter(this::isInternal)
                .forEach(name -> steps.add(new Step(
                        "delete",
                        "topic " + name,
                        "internal; made again at the next start",
                        () -> RemadeTopic.delete(admin, name))));
        Plan local = Clean.of(deployment);
        steps.addAll(local.steps());
        refusals.addAll(local.refusals());
        for (Part part : deployment.parts()) {
            group(part.applicationId());
        }
        starts.forEach((place, offset) -> steps.add(new Step(
                "set",
                "position of " + deployment.pipeline().applicationId() + " in " + place,
                "offset " + offset,
                () -> Answers.of(admin.alterConsumerGroupOffsets(
                                deployment.pipeline().applicationId(), Map.of(place, new OffsetAndMetadata(offset)))
                        .all()))));
    }

    private boolean isInternal(String name) {
        return deployment.parts().stream()
                .anyMatch(part -> part.internalTopics().contains(name));
    }

    private void outputs(SeenTopics topics) {
        List<TopicDescription> outputs = topics.existing().values().stream()
                .filter(topic -> deployment.outputs().contains(topic.name()))
                .toList();
        for (TopicDescription output : outputs) {
            long records = PositionCheck.records(admin, List.of(output));
            if (records > 0 && !options.emptyOutputs()) {
                refusals.add("Topic " + output.name() + " is not empty (about " + records
                        + " records). Judging the input again would write them a second time, and no chain would"
                        + " verify. Copy what you must keep, then pass --empty-outputs.");
            }
        }
        if (options.emptyOutputs()) {
            Map<String, Config> configs = TopicSetup.configs(
                    admin, outputs.stream().map(TopicDescription::name).toList());
            outputs.forEach(output -> empty(output, configs.get(output.name())));
        }
    }

    /** A compacted topic cannot be emptied but by making it anew; doing so with all of them also tells every local state that it is of the past. */
    private void empty(TopicDescription output, Config config) {
        if (config == null) {
            throw new TopicAuthorizationException(Set.of(output.name()));
        }
        Map<String, String> own = new TreeMap<>();
        config.entries().stream()
                .filter(entry -> entry.source() == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG)
                .forEach(entry -> own.put(entry.name(), entry.value()));
        short replicas = (short) output.partitions().get(0).replicas().size();
        NewTopic anew = new NewTopic(output.name(), output.partitions().size(), replicas).configs(own);
        steps.add(new Step(
                "empty",
                "topic " + output.name(),
                "deletes about " + PositionCheck.records(admin, List.of(output)) + " records; made anew with "
                        + anew.numPartitions() + " partitions, " + replicas + " replicas, " + own,
                () -> RemadeTopic.recreate(admin, anew)));
    }

    private void group(String group) {
        ConsumerGroupDescription found;
        try {
            found = Answers.of(admin.describeConsumerGroups(List.of(group))
                    .describedGroups()
                    .get(group));
        } catch (GroupIdNotFoundException e) {
            return;
        }
        if (!found.members().isEmpty()) {
            refusals.add("Group " + group + " has " + found.members().size() + " members ("
                    + String.join(
                            ", ",
                            found.members().stream()
                                    .map(member -> member.clientId() + " on " + member.host())
                                    .sorted()
                                    .toList())
                    + "); stop every process first. One that was killed leaves after its session timeout.");
        }
        steps.add(new Step(
                "delete",
                "group " + group,
                "its positions",
                () -> Answers.of(admin.deleteConsumerGroups(List.of(group)).all())));
    }

    private Map<TopicPartition, Long> starts(SeenTopics topics) {
        Map<TopicPartition, OffsetSpec> first = new HashMap<>();
        Map<TopicPartition, OffsetSpec> last = new HashMap<>();
        Map<TopicPartition, OffsetSpec> timed = new HashMap<>();
        deployment.pipeline().reads().stream()
                .filter(topics.existing()::containsKey)
                .flatMap(name -> topics.existing().get(name).partitions().stream()
                        .map(partition -> new TopicPartition(name, partition.partition())))
                .forEach(place -> {
                    first.put(place, OffsetSpec.earliest());
                    last.put(place, OffsetSpec.latest());
                    options.from().ifPresent(time -> timed.put(place, OffsetSpec.forTimestamp(time.toEpochMilli())));
                });
        Map<TopicPartition, Long> earliest = offsets(first);
        Map<TopicPartition, Long> latest = offsets(last);
        Map<TopicPartition, Long> atTime = offsets(timed);
        Map<TopicPartition, Long> starts =
                new TreeMap<>(Comparator.comparing(TopicPartition::topic).thenComparing(TopicPartition::partition));
        earliest.forEach((place, offset) -> {
            long found = atTime.getOrDefault(place, offset);
            starts.put(place, found < 0 ? latest.get(place) : found);
        });
        options.offsets().forEach((place, offset) -> {
            if (!starts.containsKey(place)) {
                refusals.add(place + " is no partition of an input topic; they are " + starts.keySet() + ".");
            } else if (offset < earliest.get(place) || offset > latest.get(place)) {
                refusals.add(place + " has the offsets " + earliest.get(place) + " to " + latest.get(place) + ", not "
                        + offset + ".");
            } else {
                starts.put(place, offset);
            }
        });
        return starts;
    }

    private Map<TopicPartition, Long> offsets(Map<TopicPartition, OffsetSpec> wanted) {
        Map<TopicPartition, ListOffsetsResultInfo> found =
                Answers.of(admin.listOffsets(wanted).all());
        Map<TopicPartition, Long> offsets = new HashMap<>();
        found.forEach((place, info) -> offsets.put(place, info.offset()));
        return offsets;
    }
}
