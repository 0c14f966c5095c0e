package dev.parley.cli.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import dev.parley.cli.api.ApiClient;
import dev.parley.cli.environment.ContainerEnvironment;
import dev.parley.cli.environment.NeedsDocker;
import dev.parley.cli.environment.ParleyContainer;
import dev.parley.cli.environment.RepeatedSamples;
import dev.parley.cli.environment.RunningParley;
import dev.parley.cli.environment.TopicAssertions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;

/** Parley's own image: what it answers, how it stops, and that it stays within the memory that it is given. */
@NeedsDocker
class ParleyImageContainerIT {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    /** What docker-compose.yml grants. */
    private static final Duration GRACE = Duration.ofSeconds(30);
    /** Exit status after an orderly shutdown by SIGTERM; after SIGKILL it would be 137. */
    private static final long STOPPED = 0;

    private static final long MIB = 1L << 20;
    private static final Duration LOAD = Duration.ofSeconds(Integer.getInteger("image.load.seconds", 20));
    /** So many records may wait while the load lasts. */
    private static final int BACKLOG = 10_000;

    @Test
    void reportsItsHealthAndRestartedInMidStreamLosesAndDuplicatesNothing() throws Exception {
        RepeatedSamples traffic = new RepeatedSamples();
        try (ContainerEnvironment containerEnvironment = ContainerEnvironment.open();
                ParleyContainer parley = containerEnvironment.parley()) {
            parley.start();
            containerEnvironment.feed(traffic.rounds(1));
            RunningParley.awaitAccounted(parley.api(), traffic.taken(), TIMEOUT);
            await().atMost(TIMEOUT).until(() -> parley.health().equals("healthy"));
            healthIsReported(parley);

            containerEnvironment.feed(traffic.rounds(4));
            ContainerState end = parley.stopAsDockerDoes(GRACE);
            assertThat(end.getExitCodeLong()).as(parley.getLogs()).isEqualTo(STOPPED);
            assertThat(parley.getLogs()).doesNotContain("exceeded the shutdown timeout", "failed to stop");
            containerEnvironment.topics().everyChainVerifies();
            containerEnvironment.feed(traffic.rounds(1));

            parley.startAgain();
            RunningParley.awaitAccounted(parley.api(), traffic.taken(), TIMEOUT);
            TopicAssertions topicAssertions = containerEnvironment.topics();
            assertThat(topicAssertions.inputCount()).isEqualTo(traffic.taken());
            topicAssertions
                    .nothingIsLostAndNothingIsTwice()
                    .everyChainVerifies()
                    .everyDeadLetterIsItsInput();
        }
    }

    @Test
    void fullLoadStaysWithinTheMemoryLimit() throws Exception {
        RepeatedSamples traffic = new RepeatedSamples();
        try (ContainerEnvironment containerEnvironment = ContainerEnvironment.open();
                ParleyContainer parley = containerEnvironment.parley().withMemory(512 * MIB)) {
            parley.start();
            String started = parley.state().getStartedAt();
            assertThatCode(() -> load(containerEnvironment, parley.api(), traffic))
                    .as(() -> parley.state() + "\n" + parley.getLogs())
                    .doesNotThrowAnyException();

            ContainerState state = parley.state();
            assertThat(state.getOOMKilled()).as(parley.getLogs()).isFalse();
            assertThat(state.getRunning()).as(parley.getLogs()).isTrue();
            assertThat(state.getStartedAt()).isEqualTo(started);
        }
    }

    @Test
    void theTapPassesARequestAndSendsItToTheBroker() throws Exception {
        try (ContainerEnvironment containerEnvironment = ContainerEnvironment.open();
                Admin admin = Admin.create(Map.of("bootstrap.servers", containerEnvironment.brokers()));
                GenericContainer<?> tap = containerEnvironment.tap()) {
            admin.createTopics(List.of(new NewTopic("parley.wire", 1, (short) 1)))
                    .all()
                    .get();
            tap.start();
            URI address = URI.create("http://" + tap.getHost() + ':' + tap.getFirstMappedPort() + "/subjects");
            HttpResponse<String> passed = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(passed.statusCode()).as(passed.body()).isEqualTo(200);

            try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                    Map.of("bootstrap.servers", containerEnvironment.brokers(), "auto.offset.reset", "earliest"),
                    new StringDeserializer(),
                    new StringDeserializer())) {
                consumer.assign(List.of(new TopicPartition("parley.wire", 0)));
                List<String> recorded = new ArrayList<>();
                await().atMost(TIMEOUT).until(() -> {
                    consumer.poll(Duration.ofSeconds(1)).forEach(one -> recorded.add(one.value()));
                    return recorded.size() == 2;
                });
                assertThat(recorded).containsExactly(null, passed.body());
            }
            tap.getDockerClient().stopContainerCmd(tap.getContainerId()).exec();
            assertThat(tap.getCurrentContainerInfo().getState().getExitCodeLong())
                    .as(tap.getLogs())
                    .isEqualTo(STOPPED);
        }
    }

    /** With the health listener of the image, {@code bash} asks; with other options, a JVM. */
    private static void healthIsReported(ParleyContainer parley) throws Exception {
        // The listener for probes looks at the parts from time to time only.
        await().atMost(TIMEOUT)
                .until(() ->
                        parley.execInContainer("parley", "health", "--ready").getExitCode() == 0);

        assertHealth(parley.execInContainer("parley", "health"), 0, ":8079/health/live returned 200");
        assertHealth(parley.execInContainer("parley", "health", "--ready"), 0, ":8079/health/ready returned 200");
        assertHealth(
                parley.execInContainer("parley", "health", "--ready", "--set", "http.health.port=-1"),
                0,
                ":8080/health/ready returned 200");
        String otherPort = "PARLEY_HTTP_HEALTH_PORT=8078 parley health";
        assertHealth(parley.execInContainer("sh", "-c", otherPort), 1, ":8078/health/live is unavailable");
    }

    private static void load(ContainerEnvironment containerEnvironment, ApiClient apiClient, RepeatedSamples traffic)
            throws Exception {
        long end = System.nanoTime() + LOAD.toNanos();
        while (System.nanoTime() < end) {
            containerEnvironment.feed(traffic.rounds(10));
            await().atMost(TIMEOUT).until(() -> inputs(apiClient) > traffic.taken() - BACKLOG);
        }
        RunningParley.awaitAccounted(apiClient, traffic.taken(), TIMEOUT);
    }

    private static void assertHealth(ExecResult result, int exitCode, String output) {
        assertThat(result.getStdout()).as(result.getStderr()).endsWith(output + "\n");
        assertThat(result.getExitCode()).isEqualTo(exitCode);
    }

    private static long inputs(ApiClient apiClient) {
        return apiClient
                .get("/v1/accounting", JsonNode.class)
                .path("total")
                .path("inputs")
                .asLong();
    }
}
