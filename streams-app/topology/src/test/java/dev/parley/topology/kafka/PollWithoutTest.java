package dev.parley.topology.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PollWithoutTest {
    private static final TopicPartition BACKLOG = new TopicPartition("wire", 0);
    private static final TopicPartition OTHER = new TopicPartition("wire", 1);

    private final PollWithout without = new PollWithout();
    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none") {
        @Override
        public synchronized void pause(Collection<TopicPartition> partitions) {
            without.paused(partitions);
            super.pause(partitions);
        }

        @Override
        public synchronized void resume(Collection<TopicPartition> partitions) {
            assertThat(assignment()).containsAll(partitions);
            super.resume(partitions);
        }
    };

    @BeforeEach
    void assign() {
        consumer.assign(List.of(BACKLOG, OTHER));
    }

    @Test
    void thePartitionIsPausedForOnePoll() {
        Set<TopicPartition> during = without.poll(consumer, BACKLOG, () -> Set.copyOf(consumer.paused()));

        assertThat(during).containsExactly(BACKLOG);
        assertThat(consumer.paused()).isEmpty();
    }

    /** The task of the other partition does not run yet, so Kafka Streams resumes that partition alone. */
    @Test
    void aRebalanceThatPausesOthersLeavesItResumed() {
        without.poll(consumer, BACKLOG, () -> {
            consumer.pause(Set.of(OTHER));
            return null;
        });

        assertThat(consumer.paused()).containsExactly(OTHER);
    }

    @Test
    void aRebalanceThatPausesItLeavesItPaused() {
        without.poll(consumer, BACKLOG, () -> {
            consumer.pause(Set.of(BACKLOG));
            return null;
        });

        assertThat(consumer.paused()).containsExactly(BACKLOG);
    }

    @Test
    void aPartitionThatMovedAwayIsNotResumed() {
        without.poll(consumer, BACKLOG, () -> {
            consumer.assign(List.of(OTHER));
            return null;
        });

        // As before: the test double forgets no pause.
        assertThat(consumer.paused()).containsExactly(BACKLOG);
    }

    @Test
    void itIsResumedAfterAFailure() {
        assertThatThrownBy(() -> without.poll(consumer, BACKLOG, () -> {
                    throw new KafkaException("failed");
                }))
                .hasMessage("failed");

        assertThat(consumer.paused()).isEmpty();
    }
}
