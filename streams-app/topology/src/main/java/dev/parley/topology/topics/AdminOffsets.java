package dev.parley.topology.topics;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
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
        Map<TopicPartition, OffsetSpec> asked =
                partitions.stream().collect(Collectors.toMap(Function.identity(), partition -> spec));
        Map<TopicPartition, Long> offsets = new HashMap<>();
        AdminFutures.of(admin.listOffsets(asked, new ListOffsetsOptions(isolation))
                        .all())
                .forEach((partition, info) -> offsets.put(partition, info.offset()));
        return offsets;
    }

    /** Returns the committed offsets of a group; empty if the group does not exist. */
    public static Map<TopicPartition, Long> committed(Admin admin, String group) {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        try {
            Map<TopicPartition, OffsetAndMetadata> found =
                    AdminFutures.of(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
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
