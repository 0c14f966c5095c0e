package dev.parley.server.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.avro.Accounting;
import dev.parley.protocol.TopicNames;
import dev.parley.server.ServerConfig;
import dev.parley.server.health.Accounts;
import dev.parley.server.health.HealthKeys;
import dev.parley.server.health.ProgressMeters;
import dev.parley.server.health.ProgressMonitor;
import dev.parley.server.health.ProgressMonitor.MonitoredApplication;
import dev.parley.server.health.Readiness;
import dev.parley.server.health.Readiness.Part;
import dev.parley.server.health.Readiness.Status;
import dev.parley.server.health.SourceProgress.Cause;
import dev.parley.server.health.StreamsReadiness;
import dev.parley.server.metrics.Metrics;
import dev.parley.server.metrics.PipelineMeters;
import dev.parley.testing.SharedCluster;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.lifecycle.RestartLog;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.kstream.Consumed;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Readiness, accounting and metrics of an application that one record holds up, on a real broker. */
@Tag("long")
class ProgressIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String POISON = "poison";
    private static final int INTERVAL_MS = 100;
    private static final int STALLED_MS = 1_000;

    @TempDir
    private Path directory;

    private final AtomicBoolean poisonous = new AtomicBoolean(true);
    private final RestartLog restarts = new RestartLog();
    private final Metrics metrics = new Metrics(Optional.empty(), false);
    private final TopicNames names = SharedCluster.newDeployment();
    private final String topic = names.wire();
    private ParleyConfig config;
    private KafkaStreams streams;
    private ProgressMonitor monitor;
    private Readiness readiness;

    @BeforeEach
    void start() throws Exception {
        // Those of the stream threads are what this is about.
        Awaitility.doNotCatchUncaughtExceptionsByDefault();
        config = ServerConfig.of(Map.of(
                ParleyConfig.BOOTSTRAP_SERVERS,
                SharedCluster.brokers(),
                HealthKeys.INTERVAL_MS,
                INTERVAL_MS,
                HealthKeys.STALLED_MS,
                STALLED_MS,
                HealthKeys.RESTARTS,
                2));
        try (Admin admin = Admin.create(StreamsSettings.clientSettings(config))) {
            admin.createTopics(List.of(new NewTopic(topic, 2, (short) 1))).all().get();
        }
        StreamsBuilder builder = new StreamsBuilder();
        builder.stream(topic, Consumed.with(Serdes.ByteArray(), Serdes.ByteArray()))
                .foreach((key, value) -> {
                    if (poisonous.get() && new String(value, UTF_8).equals(POISON)) {
                        throw new IllegalStateException("what an agent wrote");
                    }
                });
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, names.applicationId());
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, SharedCluster.brokers());
        settings.put(StreamsConfig.STATE_DIR_CONFIG, directory.resolve("state").toString());
        settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 100);
        // The partitions of a thread that failed are free again soon.
        settings.put(StreamsConfig.consumerPrefix("session.timeout.ms"), 6_000);
        settings.put(StreamsConfig.consumerPrefix("heartbeat.interval.ms"), 500);
        settings.put(StreamsConfig.consumerPrefix("isolation.level"), "read_committed");
        streams = new KafkaStreams(builder.build(), settings);
        streams.setUncaughtExceptionHandler(exception -> {
            restarts.failed(exception, Instant.now());
            return StreamThreadExceptionResponse.REPLACE_THREAD;
        });
        monitor = new ProgressMonitor(
                config,
                List.of(new MonitoredApplication(
                        "pipeline", names.applicationId(), Set.of(topic), this::assigned, restarts)),
                progress -> {});
        ProgressMeters.addProgress(metrics, monitor);
        readiness = new StreamsReadiness(
                Map.of("pipeline", streams), Optional.empty(), monitor, new PipelineMeters(metrics));
        streams.start();
    }

    @AfterEach
    void stop() {
        Awaitility.reset();
        monitor.close();
        streams.close(Duration.ofSeconds(10));
        metrics.close();
    }

    @Test
    void applicationBlockedByARecordIsNotReadyUntilItIsRead() throws Exception {
        send("good", 0);
        send("good", 1);
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(balanced()).isTrue());
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(part().status()).isEqualTo(Status.READY));
        // A quiet topic is no stalled one.
        requireReadyBeyondAStall();

        send(POISON, 0);
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(part().detail())
                        .contains("Stream threads failed", "times without progress since", "IllegalStateException")
                        .doesNotContain("what an agent wrote"));
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(part().detail())
                        .contains("No progress in " + topic + "-0 since", "position 1, end 2."));
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(part().status()).isIn(Status.STALLED, Status.STARTING));
        assertThat(balanced()).isFalse();
        assertThat(metrics.scrape())
                .containsPattern("parley_stream_restarts_total\\{application=\"pipeline\"} ([2-9]|\\d\\d+)\\.0")
                .contains("parley_source_lag{application=\"pipeline\",partition=\"0\",topic=\"" + topic + "\"} 1.0")
                .containsPattern("parley_source_stalled_seconds\\{application=\"pipeline\",partition=\"0\",topic=\""
                        + topic + "\"} [1-9]")
                .contains("parley_source_lag{application=\"pipeline\",partition=\"1\",topic=\"" + topic + "\"} 0.0");

        poisonous.set(false);
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(part().status()).isEqualTo(Status.READY));
        assertThat(part().detail()).isEqualTo("Kafka Streams is RUNNING.");
        assertThat(balanced()).isTrue();
    }

    @Test
    void openTransactionIsReportedButDoesNotAffectReadiness() throws Exception {
        send("good", 0);
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(balanced()).isTrue());
        try (KafkaProducer<byte[], byte[]> agent = transactional()) {
            agent.initTransactions();
            agent.beginTransaction();
            agent.send(new ProducerRecord<>(topic, 0, null, "held back".getBytes(UTF_8)))
                    .get();
            send("honest", 0);
            await().atMost(TIMEOUT)
                    .until(() -> monitor.progress().stream()
                            .flatMap(found -> found.partitions().stream())
                            .flatMap(partition -> partition.stall().stream())
                            .anyMatch(stall -> stall.cause() == Cause.OPEN_TRANSACTION));
            assertThat(balanced()).isFalse();
            assertThat(part().status()).isEqualTo(Status.READY);
            assertThat(part().detail())
                    .contains("An open transaction of '" + names.applicationId() + "-agent' (producer ")
                    .contains("holds back " + topic + "-0 since ")
                    .doesNotContain(topic + "-1");
            assertThat(new Accounts(List::of).report(monitor.progress()).partitions())
                    .singleElement()
                    .satisfies(input -> {
                        assertThat(input.partition()).isZero();
                        assertThat(input.stalledBy()).isEqualTo("OPEN_TRANSACTION");
                        assertThat(input.stalledSince()).isNotNull();
                        assertThat(input.transactionalId()).isEqualTo(names.applicationId() + "-agent");
                        assertThat(input.producerId()).isNotNull();
                    });
            assertThat(metrics.scrape())
                    .containsPattern("parley_source_held_seconds\\{application=\"pipeline\",partition=\"0\",topic=\""
                            + topic + "\"} [1-9]")
                    .contains("parley_source_held_seconds{application=\"pipeline\",partition=\"1\",topic=\"" + topic
                            + "\"} 0.0");
            agent.abortTransaction();
        }
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(balanced()).isTrue());
    }

    /**
     * After an aborted transaction there remain offsets without records, which nothing will ever commit in a task
     * that has just started.
     */
    @Test
    void offsetsWithoutRecordsAreNotAStall() throws Exception {
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(part().status()).isEqualTo(Status.READY));
        try (KafkaProducer<byte[], byte[]> agent = transactional()) {
            agent.initTransactions();
            agent.beginTransaction();
            agent.send(new ProducerRecord<>(topic, 0, null, "never".getBytes(UTF_8)))
                    .get();
            agent.abortTransaction();
        }
        requireReadyBeyondAStall();
        // The monitor probes these offsets only after the time of a stall.
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(balanced()).isTrue());
    }

    /** Requires the application to be ready until the monitor has observed it for longer than a stall. */
    private void requireReadyBeyondAStall() {
        Instant end = Instant.now().plusMillis(STALLED_MS + INTERVAL_MS);
        await().atMost(TIMEOUT)
                .failFast("the application is not ready", () -> part().status() != Status.READY)
                .until(() -> monitor.progress()
                        .filter(progress -> progress.time().isAfter(end))
                        .isPresent());
    }

    private Part part() {
        return readiness.parts().get(0);
    }

    /** As the accounting is shown when all that was read became something. */
    private boolean balanced() {
        Accounting counts = Accounting.newBuilder()
                .setTopic(topic)
                .setPartition(0)
                .setInputs(1)
                .setLog(0)
                .setInputsByLog(List.of(1L))
                .setAccepted(1)
                .build();
        return new Accounts(() -> List.of(counts))
                .report(monitor.progress()).partitions().stream()
                        .allMatch(input -> input.counts().balanced());
    }

    private Optional<Set<TopicPartition>> assigned() {
        if (streams.state() != KafkaStreams.State.RUNNING) {
            return Optional.empty();
        }
        Set<TopicPartition> assigned = new HashSet<>();
        streams.metadataForLocalThreads()
                .forEach(thread -> thread.activeTasks().forEach(task -> assigned.addAll(task.topicPartitions())));
        return Optional.of(assigned);
    }

    private void send(String value, int partition) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                StreamsSettings.clientSettings(config), new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(topic, partition, null, value.getBytes(UTF_8)))
                    .get();
        }
    }

    private KafkaProducer<byte[], byte[]> transactional() {
        return SharedCluster.transactionalProducer(names.applicationId() + "-agent");
    }
}
