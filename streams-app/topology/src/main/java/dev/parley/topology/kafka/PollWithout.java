package dev.parley.topology.kafka;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Leaves a partition out of one poll. At the end of a rebalance, which is within a poll, Kafka Streams pauses the
 * partitions of tasks that do not run yet, and resumes those later, but no others: a partition that this class left
 * paused would never be read again.
 */
final class PollWithout {
    private final Set<TopicPartition> pausedMeanwhile = new HashSet<>();

    /** Notes that Kafka Streams pauses partitions. */
    void paused(Collection<TopicPartition> partitions) {
        pausedMeanwhile.addAll(partitions);
    }

    /** Polls without an assigned partition that is not paused. */
    <R> R poll(Consumer<?, ?> consumer, TopicPartition without, Supplier<R> poll) {
        consumer.pause(Set.of(without));
        pausedMeanwhile.clear();
        try {
            return poll.get();
        } finally {
            if (consumer.assignment().contains(without) && !pausedMeanwhile.contains(without)) {
                consumer.resume(Set.of(without));
            }
        }
    }
}
