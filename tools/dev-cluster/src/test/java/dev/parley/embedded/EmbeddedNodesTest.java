package dev.parley.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("long")
class EmbeddedNodesTest {
    @TempDir
    Path directory;

    @Test
    void aDirectoryBelongsToOneNumberOfNodes() {
        EmbeddedKafka.start(EmbeddedKafkaSettings.in(directory)).close();

        assertThatThrownBy(() ->
                        EmbeddedKafka.start(EmbeddedKafkaSettings.in(directory).withNodes(3)))
                .isInstanceOf(StartupException.class)
                .hasMessageContainingAll("created with nodes=1", "not 3");
    }

    @Test
    void threeNodesGoOnWithoutOneAndSurviveARestart() throws Exception {
        EmbeddedKafkaSettings settings = EmbeddedKafkaSettings.in(directory).withNodes(3);
        try (EmbeddedKafka three = EmbeddedKafka.start(settings)) {
            Cluster.createTopic(three, "t", 3, Map.of("min.insync.replicas", "2"));
            Cluster.write(three, "t", "with three");
            three.stopNode(1);
            Cluster.write(three, "t", "with two");
            three.startNode(1);
            awaitNodes(three, 3);
            assertThat(Cluster.read(three, "t", 2)).containsExactly("with three", "with two");
        }
        try (EmbeddedKafka three = EmbeddedKafka.start(settings)) {
            Cluster.write(three, "t", "after a restart");
            assertThat(Cluster.read(three, "t", 3)).isEqualTo(List.of("with three", "with two", "after a restart"));
        }
    }

    private static void awaitNodes(EmbeddedKafka cluster, int count) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> admin.describeCluster().nodes().get().size() == count);
        }
    }
}
