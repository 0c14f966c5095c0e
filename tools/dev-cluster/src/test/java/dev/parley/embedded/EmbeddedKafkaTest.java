package dev.parley.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("long")
class EmbeddedKafkaTest {
    private static final int MEBIBYTE = 1 << 20;

    @TempDir
    Path directory;

    private EmbeddedKafka kafka;

    @BeforeEach
    void start() {
        kafka = EmbeddedKafka.start(EmbeddedKafkaSettings.in(directory).withMaxMessageBytes(16 * MEBIBYTE));
    }

    @AfterEach
    void stop() {
        kafka.close();
    }

    @Test
    void aRestartOnTheSameDirectoryAndPortKeepsRecordsAndClusterId() throws Exception {
        String large = "x".repeat(12 * MEBIBYTE);
        Cluster.createTopic(kafka, "t");
        Cluster.write(kafka, "t", "first", large);
        String cluster = clusterId();
        String brokers = kafka.bootstrapServers();
        int port = Integer.parseInt(brokers.substring("127.0.0.1:".length()));

        kafka.close();
        kafka = EmbeddedKafka.start(
                EmbeddedKafkaSettings.in(directory).withPort(port).withMaxMessageBytes(16 * MEBIBYTE));
        Cluster.write(kafka, "t", "second");

        assertThat(Cluster.read(kafka, "t", 3)).containsExactly("first", large, "second");
        assertThat(kafka.bootstrapServers()).isEqualTo(brokers);
        assertThat(clusterId()).isEqualTo(cluster);
    }

    private String clusterId() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            return admin.describeCluster().clusterId().get();
        }
    }

    @Test
    void afterAKillWhatWasAcknowledgedIsThereAndOpenTransactionsAreEnded() throws Exception {
        Cluster.createTopic(kafka, "t");
        kafka.close();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        KafkaInAnotherProcess.class.getName(),
                        directory.toString(),
                        "t",
                        "before the kill")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader output = process.inputReader()) {
            assertThat(output.lines()
                            .filter(KafkaInAnotherProcess.READY::equals)
                            .findFirst())
                    .isPresent();
            assertThatThrownBy(this::start)
                    .isInstanceOf(StartupException.class)
                    .hasMessageContainingAll("in use by process " + process.pid(), directory.toString());
        } finally {
            process.destroyForcibly();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }

        // Its time is over when the node starts, and the node may end it at once: while the cluster still takes its
        // former life for the present one.
        kafka = EmbeddedKafka.start(EmbeddedKafkaSettings.in(directory)
                .withOverrides(Map.of("transaction.abort.timed.out.transaction.cleanup.interval.ms", "50")));
        Cluster.write(kafka, "t", "after it");

        assertThat(Cluster.read(kafka, "t", 2)).containsExactly("before the kill", "after it");
    }

    @Test
    @SuppressWarnings("AddressSelection")
    void aTakenPortIsNamed(@TempDir Path other) throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            EmbeddedKafkaSettings settings = EmbeddedKafkaSettings.in(other).withPort(taken.getLocalPort());

            assertThatThrownBy(() -> EmbeddedKafka.start(settings))
                    .isInstanceOf(StartupException.class)
                    .hasMessageContainingAll("Port " + taken.getLocalPort(), "in use");
        }
    }

    @Test
    void aDirectoryInUseIsRefusedAndTheHolderGoesOn() throws Exception {
        assertThatThrownBy(() -> EmbeddedKafka.start(EmbeddedKafkaSettings.in(directory)))
                .isInstanceOf(StartupException.class)
                .hasMessageContainingAll(
                        directory.toString(),
                        "in use by process " + ProcessHandle.current().pid());

        Cluster.createTopic(kafka, "t");
    }

    @Test
    void aSettingThatKafkaRefusesIsReportedAndTheDirectoryFreed(@TempDir Path other) {
        EmbeddedKafkaSettings settings =
                EmbeddedKafkaSettings.in(other).withOverrides(Map.of("num.io.threads", "none"));

        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> EmbeddedKafka.start(settings))
                    .isInstanceOf(StartupException.class)
                    .hasMessageContaining("num.io.threads");
        }
    }
}
