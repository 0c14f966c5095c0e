package dev.parley.cli.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.AuditRecord;
import dev.parley.cli.api.ApiClient;
import dev.parley.cli.environment.CommandResult;
import dev.parley.cli.environment.EmbeddedEnvironment;
import dev.parley.cli.environment.RepeatedSamples;
import dev.parley.cli.environment.RunningParley;
import dev.parley.protocol.TopicNames;
import dev.parley.server.Features;
import dev.parley.server.health.HealthKeys;
import dev.parley.server.lifecycle.Application;
import dev.parley.server.operations.Preflight;
import dev.parley.testing.SharedCluster;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.topics.Check;
import dev.parley.topology.topics.TopicSetup;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Committed offsets that are lost, and input that is deleted before it is read: nothing is audited twice, and what is
 * lost is counted and audited.
 */
@Tag("long")
class LostOffsetsIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private final TopicNames names = SharedCluster.newDeployment();
    private final String slip = names.wire() + ".slip";
    private final TopicPartition partition = new TopicPartition(slip, 0);

    @TempDir
    private Path directory;

    @Test
    void inputIsAuditedOnceAfterTheCommittedOffsetsAreLost() throws Exception {
        try (EmbeddedEnvironment embeddedEnvironment = EmbeddedEnvironment.shared(directory, names);
                Admin admin = Admin.create(StreamsSettings.clientSettings(embeddedEnvironment.config()))) {
            ParleyConfig config = embeddedEnvironment.config();
            RepeatedSamples traffic = new RepeatedSamples();
            try (Application application = Application.start(config)) {
                RunningParley.send(config, traffic.rounds(1));
                settled(application, traffic.taken());
            }
            admin.deleteConsumerGroups(List.of(names.applicationId())).all().get();
            assertThat(Preflight.of(config, Features.STANDARD))
                    .filteredOn(finding -> finding.check() == Check.OFFSETS_MISSING)
                    .singleElement()
                    .asString()
                    .contains("read again and skipped", names.wire() + "-0");

            try (Application application = Application.start(config)) {
                RunningParley.send(config, traffic.rounds(1));
                JsonNode accounting = settled(application, traffic.taken());
                assertThat(sum(accounting, "reread")).isPositive();
                assertThat(sum(accounting, "unread")).isZero();
            }
            embeddedEnvironment
                    .topics()
                    .nothingIsLostAndNothingIsTwice()
                    .everyChainVerifies()
                    .everyDeadLetterIsItsInput();
            CommandResult verified = CommandResult.by(config, "verify");
            assertThat(verified.exit()).as(verified.all()).isZero();
        }
    }

    @Test
    void inputDeletedUnreadIsCountedAndAudited() throws Exception {
        try (EmbeddedEnvironment embeddedEnvironment = EmbeddedEnvironment.shared(directory, names);
                Admin admin = Admin.create(StreamsSettings.clientSettings(embeddedEnvironment.config()))) {
            ParleyConfig config = embeddedEnvironment.config();
            try (Application application = Application.start(config)) {
                send(config, 10);
                settled(application, 10);
            }
            // While nothing runs: offsets 10 to 29 come, and only 25 to 29 stay.
            send(config, 20);
            deleteBefore(admin, 25);
            assertThat(Preflight.of(config, Features.STANDARD))
                    .filteredOn(finding -> finding.check() == Check.INPUT_LOST)
                    .singleElement()
                    .asString()
                    .contains(slip + "-0", "offsets 10 to 24", "at most 15 records");
            try (Application application = Application.start(config)) {
                JsonNode accounting = settled(application, 15);
                assertThat(sum(accounting, "unread")).isEqualTo(15);

                // While it runs, and an open transaction holds it back: offset 30 is the transaction's, 31 to 50 come,
                // and only 45 to 50 stay.
                try (KafkaProducer<byte[], byte[]> producer = transactional()) {
                    producer.initTransactions();
                    producer.beginTransaction();
                    producer.send(record()).get();
                    send(config, 20);
                    deleteBefore(admin, 45);
                    producer.abortTransaction();
                }
                accounting = settled(application, 15 + 6);
                assertThat(sum(accounting, "unread")).isEqualTo(15 + 15);
                // Nothing confirms the time of a record whose input was deleted, so a head must cover it.
                await().atMost(TIMEOUT).untilAsserted(() -> {
                    CommandResult verified = CommandResult.by(config, "verify");
                    assertThat(verified.exit()).as(verified.all()).isZero();
                    assertThat(verified.all()).contains("30 input offsets lost", "INPUT_EXPIRED");
                });
            }
            List<AuditRecord> expired = embeddedEnvironment.topics().audit().stream()
                    .filter(record -> "INPUT_EXPIRED".equals(record.getCode()))
                    .toList();
            assertThat(expired)
                    .extracting(record -> record.getSource().getOffset(), AuditRecord::getUnread)
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple(10L, 15L),
                            org.assertj.core.groups.Tuple.tuple(30L, 15L));
            assertThat(expired)
                    .allSatisfy(
                            record -> assertThat(record.getDetail()).contains("were deleted before they were read"));
        }
    }

    @Test
    void recreatedInputTopicIsRejected() throws Exception {
        try (EmbeddedEnvironment embeddedEnvironment = EmbeddedEnvironment.shared(directory, names);
                Admin admin = Admin.create(StreamsSettings.clientSettings(embeddedEnvironment.config()))) {
            ParleyConfig config = embeddedEnvironment.config();
            try (Application application = Application.start(config)) {
                send(config, 10);
                settled(application, 10);
            }
            admin.deleteTopics(List.of(slip)).all().get();
            await().atMost(TIMEOUT)
                    .until(() -> !admin.listTopics().names().get().contains(slip));
            admin.createTopics(List.of(TopicSetup.of(config).newTopic(slip)))
                    .all()
                    .get();
            // More than were in the old one, so that the committed offset is in range.
            send(config, 12);

            // Another machine, which has no local state that could tell.
            ParleyConfig elsewhere = embeddedEnvironment.config(Map.of(
                    ParleyConfig.STATE_DIR, directory.resolve("elsewhere").toString(), HealthKeys.RESTARTS, 1));
            assertThat(Preflight.of(elsewhere, Features.STANDARD))
                    .filteredOn(finding -> finding.check() == Check.INPUT_RECREATED)
                    .singleElement()
                    .asString()
                    .contains(slip + "-0", "deleted and created again", "parley reset --empty-outputs");
            CommandResult checked = CommandResult.by(elsewhere, "check");
            assertThat(checked.exit()).as(checked.all()).isEqualTo(1);

            // Whoever starts without asking is stopped by the pipeline.
            try (Application application = Application.start(elsewhere)) {
                await().atMost(TIMEOUT)
                        .untilAsserted(() -> assertThat(new ApiClient(application.uri()).awaited())
                                .contains("RecreatedTopicException"));
            }
            assertThat(embeddedEnvironment.topics().audit()).hasSize(10);
        }
    }

    private static JsonNode settled(Application application, long inputs) throws InterruptedException {
        ApiClient apiClient = RunningParley.ready(application.uri(), TIMEOUT);
        await().atMost(TIMEOUT).untilAsserted(() -> {
            JsonNode accounting = apiClient.get("/v1/accounting", JsonNode.class);
            assertThat(accounting.at("/total/inputs").asLong())
                    .as("%s", accounting)
                    .isEqualTo(inputs);
            assertThat(accounting.path("balanced").asBoolean())
                    .as("%s", accounting)
                    .isTrue();
        });
        return apiClient.get("/v1/accounting", JsonNode.class);
    }

    private static long sum(JsonNode accounting, String count) {
        long sum = 0;
        for (JsonNode partition : accounting.path("partitions")) {
            sum += partition.path(count).asLong();
        }
        return sum;
    }

    private void send(ParleyConfig config, int records) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                StreamsSettings.clientSettings(config), new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < records; i++) {
                producer.send(record()).get();
            }
        }
    }

    private KafkaProducer<byte[], byte[]> transactional() {
        return SharedCluster.transactionalProducer(names.applicationId() + "-agent");
    }

    private ProducerRecord<byte[], byte[]> record() {
        return new ProducerRecord<>(slip, 0, null, "no message".getBytes(UTF_8));
    }

    private void deleteBefore(Admin admin, long offset) throws Exception {
        admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(offset)))
                .all()
                .get();
    }
}
