package dev.parley.audit;

import java.util.Comparator;

/**
 * Partition of an input topic, written {@code topic-partition}. The natural order is by topic, then by partition
 * number.
 *
 * @param topic name of the input topic
 * @param partition number of the partition
 */
public record InputPartition(String topic, int partition) implements Comparable<InputPartition> {
    private static final Comparator<InputPartition> ORDER =
            Comparator.comparing(InputPartition::topic).thenComparingInt(InputPartition::partition);

    @Override
    public int compareTo(InputPartition other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return topic + '-' + partition;
    }
}
