package dev.parley.cli.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.AuditRecord;
import dev.parley.cli.api.ApiClient;
import dev.parley.cli.environment.CommandResult;
import dev.parley.cli.environment.EmbeddedEnvironment;
import dev.parley.embedded.EmbeddedKafka;
import dev.parley.embedded.EmbeddedKafkaSettings;
import dev.parley.protocol.TopicNames;
import dev.parley.server.ServerConfig;
import dev.parley.server.lifecycle.Application;
import dev.parley.testing.SharedCluster;
import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.config.RetentionKeys;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.topics.TopicSetup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agents that choose the time of their records, against a running deployment. */
@Tag("long")
class RecordTimeIT {
    private static final TopicNames NAMES = SharedCluster.newDeployment();
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Instant YEAR_2017 = Instant.parse("2017-01-01T00:00:00Z");

    @TempDir
    private static Path directory;

    private static EmbeddedEnvironment environment;
    private static Application application;
    private static Instant begun;

    @BeforeAll
    static void open() {
        begun = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        environment = EmbeddedEnvironment.shared(directory, NAMES);
        application = Application.start(
                environment.config(Map.of(ParleyConfig.PARTITIONS, 1, AuditKeys.HEADS_INTERVAL_MS, 100)));
    }

    @AfterAll
    static void close() {
        application.close();
        environment.close();
    }

    @Test
    void futureTimestampRemovesNoHonestRecordFromAnExport() {
        send("2", slip("2", 1), Instant.now());
        send("3", slip("3", 1), begun.plus(Duration.ofMinutes(55)));
        send("4", slip("4", 1), Instant.now());
        awaitVerdicts("2", "3", "4");

        Path file = directory.resolve("ahead.jsonl");
        Instant end = Instant.now().plusSeconds(60);
        // An export has only records that a head covers.
        await().atMost(TIMEOUT).untilAsserted(() -> {
            Files.deleteIfExists(file);
            CommandResult export = CommandResult.by(
                    environment.config(),
                    "export",
                    "--from",
                    begun.toString(),
                    "--to",
                    end.toString(),
                    "--out",
                    file.toString());
            assertThat(export.exit()).as(export.all()).isZero();
            assertThat(file).content().contains("default|SLIP|2", "default|SLIP|4");
        });
        assertThat(CommandResult.by(List.of("verify", file.toString())).exit()).isZero();
    }

    @Test
    void timestampOf2017DoesNotChangeTheStateAsOf2020() {
        send("5", slip("5", 1), Instant.now());
        send("5", slip("5", 2), YEAR_2017);
        awaitVerdicts("5", "5");

        String state = "/v1/conversations/default/slip/5/state?at=time:";
        ApiClient apiClient = new ApiClient(application.uri());
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(apiClient
                                .get(state + "2100-01-01T00:00:00Z", JsonNode.class)
                                .path("asOf")
                                .path("sequence")
                                .asLong())
                        .isEqualTo(1));
        JsonNode asOf2020 = apiClient.get(state + "2020-01-01T00:00:00Z", JsonNode.class);
        assertThat(asOf2020.path("asOf").isObject()).as(asOf2020.toString()).isFalse();
    }

    @Test
    void producerTimestampIsKeptAsAClaim() {
        ProducerRecord<byte[], byte[]> record = wire("6", slip("6", 1), Instant.now());
        record.headers().add("ce_time", "2017-01-01T00:00:00Z".getBytes(UTF_8));
        send(record);

        AuditRecord audit = awaitVerdicts("6").get(0);
        assertThat(audit.getSource().getTimestamp()).isAfter(begun.minusSeconds(60));
        assertThat(audit.getSource().getProducerTime()).isEqualTo(YEAR_2017);
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(new ApiClient(application.uri())
                                .get("/v1/conversations/default/slip/6/messages/0", JsonNode.class)
                                .path("source")
                                .path("producerTime")
                                .asText())
                        .isEqualTo("2017-01-01T00:00:00Z"));
    }

    @Test
    void recordTimeIsTheBrokersTime() {
        send("7", slip("7", 1), YEAR_2017);

        AuditRecord audit = awaitVerdicts("7").get(0);
        assertThat(environment.topics().timeOf(audit.getSource()))
                .isEqualTo(audit.getSource().getTimestamp());
    }

    @Test
    void topicAlteredWhileParleyRunsLetsNoAgentChooseATime() throws Exception {
        ConfigResource input = new ConfigResource(ConfigResource.Type.TOPIC, NAMES.wire() + ".slip");
        try (Admin admin = Admin.create(StreamsSettings.clientSettings(environment.config()));
                KafkaProducer<byte[], byte[]> producer = producer(environment.brokers())) {
            alter(admin, input, "CreateTime");
            ProducerRecord<byte[], byte[]> backdated = new ProducerRecord<>(
                    input.name(), 0, 1_000L, new byte[] {'8'}, slip("8", 1).getBytes(UTF_8));
            // Brokers hear of a changed setting a moment later.
            await().atMost(TIMEOUT).until(() -> producer.send(backdated).get().timestamp() == 1_000);
            producer.send(backdated).get();

            assertThat(awaitVerdicts("8", "8"))
                    .extracting(audit -> audit.getSource().getTimestamp())
                    .allSatisfy(time -> assertThat(time).isBetween(begun, Instant.now()));
            alter(admin, input, "LogAppendTime");
        }
    }

    @Test
    void timestampOf1970DoesNotMakeTheBrokerDeleteInput() throws Exception {
        EmbeddedKafkaSettings settings = EmbeddedKafkaSettings.in(directory.resolve("expiring"))
                .withMaxMessageBytes(ServerConfig.of(Map.of()).outputRecordBytes())
                .withOverrides(Map.of(
                        "log.retention.check.interval.ms", "300",
                        "log.initial.task.delay.ms", "0"));
        try (EmbeddedKafka kafka = EmbeddedKafka.start(settings)) {
            ParleyConfig config = ServerConfig.of(Map.of(
                    ParleyConfig.BOOTSTRAP_SERVERS,
                    kafka.bootstrapServers(),
                    ParleyConfig.PARTITIONS,
                    1,
                    ParleyConfig.REPLICATION,
                    (short) 1,
                    RetentionKeys.INPUTS,
                    86_400_000L));
            try (Admin admin = Admin.create(StreamsSettings.clientSettings(config));
                    KafkaProducer<byte[], byte[]> producer = producer(kafka.bootstrapServers())) {
                assertThat(TopicSetup.of(config).createAndValidate(admin)).isEmpty();
                admin.createTopics(List.of(
                                new NewTopic("canary", 1, (short) 1).configs(Map.of("retention.ms", "86400000"))))
                        .all()
                        .get();
                byte[] value = {1};
                producer.send(new ProducerRecord<>(TopicNames.DEFAULT.wire(), 0, 1_000L, null, value))
                        .get();
                producer.send(new ProducerRecord<>("canary", 0, 1_000L, null, value))
                        .get();

                await().atMost(TIMEOUT).until(() -> begin(admin, "canary") == 1);
                producer.send(new ProducerRecord<>("canary", 0, 1_000L, null, value))
                        .get();
                await().atMost(TIMEOUT).until(() -> begin(admin, "canary") == 2);
                assertThat(begin(admin, TopicNames.DEFAULT.wire())).isZero();
            }
        }
    }

    @Test
    void inputTopicWithProducerTimeIsRejectedWithTheCommandThatAltersIt() throws Exception {
        ConfigResource input = new ConfigResource(ConfigResource.Type.TOPIC, NAMES.wire() + ".subit");
        try (Admin admin = Admin.create(StreamsSettings.clientSettings(environment.config()))) {
            alter(admin, input, "CreateTime");
            try {
                CommandResult check = CommandResult.by(
                        environment.config(Map.of(
                                ParleyConfig.STATE_DIR,
                                directory.resolve("other").toString())),
                        "check");
                assertThat(check.exit()).isEqualTo(1);
                assertThat(check.all())
                        .contains("INPUT_TIME")
                        .contains("kafka-configs.sh --alter --topic " + NAMES.wire() + ".subit"
                                + " --add-config message.timestamp.type=LogAppendTime");
            } finally {
                alter(admin, input, "LogAppendTime");
            }
        }
    }

    private static void alter(Admin admin, ConfigResource topic, String type) throws Exception {
        admin.incrementalAlterConfigs(Map.of(
                        topic,
                        List.of(new AlterConfigOp(
                                new ConfigEntry("message.timestamp.type", type), AlterConfigOp.OpType.SET))))
                .all()
                .get();
    }

    private static long begin(Admin admin, String topic) throws ExecutionException, InterruptedException {
        TopicPartition partition = new TopicPartition(topic, 0);
        return admin.listOffsets(Map.of(partition, OffsetSpec.earliest()))
                .partitionResult(partition)
                .get()
                .offset();
    }

    /** The first or the second message of a conversation. */
    private static String slip(String conversation, int turn) {
        return turn == 1
                ? "@a3|f0|c" + conversation + "|S0|d1|T1|g1c|k1|q1|t\"release_2.4\"#"
                : "@a2|f0|c" + conversation + "|S1|d0|T2|g1c|k1|t\"freeze_date\"#";
    }

    private static ProducerRecord<byte[], byte[]> wire(String conversation, String message, Instant time) {
        return new ProducerRecord<>(
                NAMES.wire(), 0, time.toEpochMilli(), conversation.getBytes(UTF_8), message.getBytes(UTF_8));
    }

    private static void send(String conversation, String message, Instant time) {
        send(wire(conversation, message, time));
    }

    private static void send(ProducerRecord<byte[], byte[]> record) {
        try (KafkaProducer<byte[], byte[]> producer = producer(environment.brokers())) {
            producer.send(record);
        }
    }

    private static KafkaProducer<byte[], byte[]> producer(String brokers) {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", brokers), new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** The audit records of these SLIP conversations, when there are at least as many. */
    private static List<AuditRecord> awaitVerdicts(String... conversations) {
        List<String> chains = java.util.Arrays.stream(conversations)
                .map(conversation -> "default|SLIP|" + conversation)
                .toList();
        return await().atMost(TIMEOUT)
                .until(
                        () -> environment.topics().audit().stream()
                                .filter(record -> chains.contains(record.getChain()))
                                .toList(),
                        found -> found.size() >= conversations.length);
    }
}
