package dev.parley.topology.kafka;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.testing.SharedCluster;
import dev.parley.topology.kafka.CheckedRestores.Store;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Reads a topic beyond the end of its leader epoch, as after an unclean leader election. */
@Tag("long")
class CheckedRestoresIT {
    private static final int POLLS = 60;

    @Test
    void aTruncatedTopicIsReadAgainOnlyIfItsStoresMayBeWrittenAgain() throws Exception {
        TopicPartition audit = new TopicPartition(SharedCluster.newDeployment().prefix() + "truncated", 0);
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, SharedCluster.brokers()))) {
            admin.createTopics(List.of(new NewTopic(audit.topic(), 1, (short) 1)))
                    .all()
                    .get();
        }

        assertThatThrownBy(() -> read(audit, Set.of(audit.topic()))).isInstanceOf(LogTruncationException.class);
        assertThatThrownBy(() -> read(audit, Set.of()))
                .isInstanceOf(TruncatedTopicException.class)
                .hasMessageContaining(audit.toString());
    }

    /** @param sources the topics from which the store is written again */
    private static void read(TopicPartition partition, Set<String> sources) {
        CheckedRestores clients =
                new CheckedRestores("traffic", Map.of("counts", new Store(sources, (key, value) -> {})));
        Map<String, Object> settings = Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                SharedCluster.brokers(),
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "none");
        try (Consumer<byte[], byte[]> consumer = clients.getConsumer(settings)) {
            consumer.assign(List.of(partition));
            consumer.seek(partition, new OffsetAndMetadata(100, Optional.of(0), ""));
            for (int poll = 0; poll < POLLS; poll++) {
                consumer.poll(Duration.ofSeconds(1));
            }
        }
    }
}
