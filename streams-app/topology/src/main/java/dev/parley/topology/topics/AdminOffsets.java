package dev.parley.topology.topics;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/** Reads offsets of partitions with the admin client. All methods throw a {@link KafkaException} if that fails. */
public final class AdminOffsets {
    /** Orders partitions by topic and number. */
    public static final Comparator<TopicPartition> ORDER =
            Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition);

    private AdminOffsets() {}

    /** Returns one offset of each partition; -1 for a time without later records. */
    public static Map<TopicPartition, Long> of(Admin admin, Collection<TopicPartition> partitions, OffsetSpec spec) {
        return of(admin, partitions, spec, IsolationLevel.READ_UNCOMMITTED);
    }

    public static Map<TopicPartition, Long> of(
            Admin admin, Collection<TopicPartition> partitions, OffsetSpec spec, IsolationLevel isolation) {
        return of(request(admin, partitions, spec, isolation), partitions);
    }

    /** Requests one offset of each partition. */
    public static ListOffsetsResult request(
            Admin admin, Collection<TopicPartition> partitions, OffsetSpec spec, IsolationLevel isolation) {
        Map<TopicPartition, OffsetSpec> asked =
                partitions.stream().collect(Collectors.toMap(Function.identity(), partition -> spec));
        return admin.listOffsets(asked, new ListOffsetsOptions(isolation));
    }

    /** Returns the offsets of some of the requested partitions. */
    public static Map<TopicPartition, Long> of(ListOffsetsResult requested, Collection<TopicPartition> partitions) {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        partitions.forEach(partition -> offsets.put(
                partition, AdminFutures.of(requested.partitionResult(partition)).offset()));
        return offsets;
    }

    /** Returns the committed offsets of a group; empty if the group does not exist. */
    public static Map<TopicPartition, Long> committed(Admin admin, String group) {
        return committed(admin.listConsumerGroupOffsets(group), group);
    }

    /** Returns the committed offsets of one of the requested groups; empty if the group does not exist. */
    public static Map<TopicPartition, Long> committed(ListConsumerGroupOffsetsResult requested, String group) {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        try {
            Map<TopicPartition, OffsetAndMetadata> found =
                    AdminFutures.of(requested.partitionsToOffsetAndMetadata(group));
            found.forEach((partition, committed) -> {
                if (committed != null) {
                    offsets.put(partition, committed.offset());
                }
            });
        } catch (GroupIdNotFoundException e) {
            // The group has never committed.
        }
        return offsets;
    }
}
