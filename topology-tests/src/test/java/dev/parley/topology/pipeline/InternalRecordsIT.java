package dev.parley.topology.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.DialogueState;
import dev.parley.avro.Inbound;
import dev.parley.avro.Redaction;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.codec.Code;
import dev.parley.server.Features;
import dev.parley.server.ServerConfig;
import dev.parley.server.operations.ChangePlan;
import dev.parley.server.operations.Preflight;
import dev.parley.server.operations.Sealing;
import dev.parley.server.redaction.Redactor;
import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.kafka.TopicReader;
import dev.parley.topology.pipeline.SigningDeployment.Instance;
import dev.parley.topology.topics.Check;
import dev.parley.topology.topics.DeadLetterHeaders;
import dev.parley.topology.topics.Finding;
import dev.parley.topology.views.AuditRecords;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an insider without the key writes to the topics that Parley writes for itself is not believed. */
@Tag("long")
class InternalRecordsIT {

    @TempDir
    private Path directory;

    @Test
    void onlyInputsGetVerdictsAndEachOne() throws Exception {
        try (SigningDeployment deployment = new SigningDeployment(directory, 1);
                Instance instance = deployment.start()) {
            deployment.send(List.of(InputRecord.slipRequest(7, 1)));
            awaitAudit(deployment, 1);
            Redaction redaction = AuditRecords.redaction(deployment.audit().get(0));
            String repartition = deployment.config.getString("application.id") + "-by-conversation-repartition";
            List<ConsumerRecord<byte[], byte[]>> honest = read(deployment, repartition);
            assertThat(honest).hasSize(1);

            try (Producer<byte[], byte[]> insider = deployment.producer(Map.of())) {
                Inbound forged = new Inbound(
                        new Source(deployment.names.wire(), 0, 1_000L, Instant.parse("2026-01-31T12:00:00Z"), null),
                        null,
                        ByteBuffer.wrap(InputRecord.slipRequest(8, 1).value()),
                        List.of(),
                        null,
                        null);
                byte[] value =
                        deployment.serdes.values(Inbound.class).serializer().serialize(repartition, forged);
                insider.send(new ProducerRecord<>(repartition, 0, "default|SLIP|8".getBytes(UTF_8), value));
                // With its code, which is valid.
                ConsumerRecord<byte[], byte[]> copied = honest.get(0);
                insider.send(new ProducerRecord<>(
                        repartition, 0, copied.timestamp(), copied.key(), copied.value(), copied.headers()));
                insider.send(new ProducerRecord<>(
                        deployment.names.redaction(),
                        redaction.getChain().getBytes(UTF_8),
                        deployment.topics.redaction().write(redaction)));
            }
            awaitAudit(deployment, 2);
            try (Redactor redactor = new Redactor(
                    deployment.topics.redaction(),
                    StreamsSettings.internalClients(deployment.config),
                    false,
                    SigningDeployment.TIMEOUT)) {
                redactor.redact(redaction);
            }
            awaitAudit(deployment, 3);
            deployment.send(List.of(InputRecord.slipRequest(9, 1)));

            awaitAudit(deployment, 4);
            assertThat(deployment.audit())
                    .extracting(AuditRecord::getChain, AuditRecord::getCode)
                    .containsExactly(
                            tuple("default|SLIP|7", null),
                            tuple("|UNKNOWN|" + deployment.names.redaction() + "-0", Code.REDACTION_MALFORMED.name()),
                            tuple("default|SLIP|7", null),
                            tuple("default|SLIP|9", null));
            assertThat(read(deployment, deployment.names.deadLetters(Stage.INTERNAL)))
                    .as("the copy, and not the forged record")
                    .singleElement()
                    .satisfies(copy -> {
                        assertThat(copy.value())
                                .isEqualTo(InputRecord.slipRequest(7, 1).value());
                        assertThat(new String(
                                        copy.headers()
                                                .lastHeader(DeadLetterHeaders.CODE)
                                                .value(),
                                        UTF_8))
                                .isEqualTo(Code.INTERNAL_ERROR.name());
                    });
            assertThat(instance.signing).doesNotContainValue(false);
        }
    }

    @Test
    void aStateThatSomebodyElseWroteStopsItsConversationOnly() throws Exception {
        try (SigningDeployment deployment = new SigningDeployment(directory, 1)) {
            try (Instance instance = deployment.start()) {
                deployment.send(List.of(InputRecord.slipRequest(7, 1), InputRecord.slipRequest(8, 1)));
                awaitAudit(deployment, 2);
            }
            String changelog = deployment.changelog(PipelineStores.CONVERSATIONS);
            try (Producer<byte[], byte[]> insider = deployment.producer(Map.of())) {
                deployment.readCommitted(changelog, (partition, chain, value) -> {
                    if (chain.endsWith("|7")) {
                        DialogueState state = deployment
                                .serdes
                                .values(DialogueState.class)
                                .deserializer()
                                .deserialize(changelog, value);
                        state.setSequence(0);
                        byte[] forged = deployment
                                .serdes
                                .values(DialogueState.class)
                                .serializer()
                                .serialize(changelog, state);
                        insider.send(new ProducerRecord<>(changelog, partition, chain.getBytes(UTF_8), forged));
                    }
                });
            }

            try (Instance instance = deployment.start()) {
                deployment.send(List.of(InputRecord.slipRequest(7, 2), InputRecord.slipRequest(8, 2)));
                awaitAudit(deployment, 3);
                String failed = deployment.names.deadLetters(Stage.INTERNAL);
                await().atMost(SigningDeployment.TIMEOUT)
                        .untilAsserted(
                                () -> assertThat(read(deployment, failed)).hasSize(1));
                ConsumerRecord<byte[], byte[]> stopped =
                        read(deployment, failed).get(0);
                assertThat(stopped.value())
                        .isEqualTo(InputRecord.slipRequest(7, 2).value());
                assertThat(new String(
                                stopped.headers()
                                        .lastHeader(DeadLetterHeaders.CODE)
                                        .value(),
                                UTF_8))
                        .isEqualTo(Code.STATE_UNREADABLE.name());
                assertThat(deployment.audit())
                        .extracting(AuditRecord::getChain)
                        .containsExactlyInAnyOrder("default|SLIP|7", "default|SLIP|8", "default|SLIP|8");
            }

            // The repair: what was valid before counts again.
            seal(deployment, false);
            try (Instance instance = deployment.start()) {
                deployment.send(List.of(InputRecord.slipRequest(7, 2)));
                awaitAudit(deployment, 4);
                // As in the other conversation, which was not stopped.
                assertThat(verdicts(deployment, "|7")).hasSize(2).isEqualTo(verdicts(deployment, "|8"));
                assertThat(instance.signing).doesNotContainValue(false);
            }
        }
    }

    @Test
    void sealedRecordsAreThoseOfTheNewKey() throws Exception {
        try (SigningDeployment deployment = new SigningDeployment(directory, 1)) {
            InputRecord request = InputRecord.slipRequest(7, 1);
            assertThat(preflight(deployment.values)).isEmpty();
            try (Instance instance = deployment.start()) {
                deployment.send(List.of(request));
                awaitAudit(deployment, 1);
            }
            Redaction redaction = AuditRecords.redaction(deployment.audit().get(0));
            redaction.setSequence(9L);
            String redactions = deployment.names.redaction();
            try (Producer<byte[], byte[]> before = deployment.producer(Map.of())) {
                byte[] key = redaction.getChain().getBytes(UTF_8);
                byte[] value = deployment.topics.redaction().write(redaction);
                before.send(new ProducerRecord<>(redactions, key, value));
                before.send(new ProducerRecord<>(redactions, key, value));
            }
            assertThat(preflight(deployment.values)).isEmpty();
            assertThat(preflight(deployment.valuesWithoutInternalKey()))
                    .singleElement()
                    .satisfies(finding -> assertThat(finding.remedy()).contains(AuditKeys.INTERNAL_KEY_FILES));
            deployment.replaceInternalKey();
            assertThat(preflight(deployment.values))
                    .singleElement()
                    .satisfies(
                            finding -> assertThat(finding.remedy()).contains("parley seal --execute", "--trust-all"));
            String changelog = deployment.changelog(PipelineStores.CONVERSATIONS);
            seal(deployment, false);
            assertThat(read(deployment, changelog)).hasSize(1);
            seal(deployment, true);
            assertThat(read(deployment, changelog)).hasSize(2);
            assertThat(read(deployment, redactions)).hasSize(3);
            seal(deployment, true);
            seal(deployment, false);
            assertThat(read(deployment, redactions)).hasSize(3);
            assertThat(preflight(deployment.values)).isEmpty();

            try (Instance instance = deployment.start()) {
                deployment.send(List.of(request));
                // Both requests without a code, the one with a code, and the message.
                awaitAudit(deployment, 5);
                // The task knows the first one.
                assertThat(deployment.audit())
                        .filteredOn(record -> record.getWarnings().contains(Code.SLIP_DUPLICATE.name()))
                        .hasSize(1);
                assertThat(deployment.audit())
                        .filteredOn(record -> Code.REDACTION_REFUSED.name().equals(record.getCode()))
                        .hasSize(1);
                assertThat(read(deployment, deployment.names.deadLetters(Stage.INTERNAL)))
                        .isEmpty();
                assertThat(instance.signing).doesNotContainValue(false);
            }
        }
    }

    @Test
    void sealingAgainJudgesNoMessageTwice() throws Exception {
        try (SigningDeployment deployment = new SigningDeployment(directory, 1)) {
            try (Instance instance = deployment.start()) {
                deployment.send(List.of(InputRecord.slipRequest(7, 1)));
                awaitAudit(deployment, 1);
            }
            try (Producer<byte[], byte[]> pipeline = deployment.producerWithInternalKey()) {
                pipeline.send(unjudged(deployment, 8));
            }
            deployment.addInternalKey();
            assertThatThrownBy(() -> seal(deployment, false)).hasMessageContaining("old key");

            try (Instance instance = deployment.start()) {
                awaitAudit(deployment, 2);
            }
            seal(deployment, false);
            try (Producer<byte[], byte[]> pipeline = deployment.producer(Map.of())) {
                pipeline.send(unjudged(deployment, 9));
            }
            seal(deployment, true);
            seal(deployment, true);
            try (Instance instance = deployment.start()) {
                deployment.send(List.of(InputRecord.slipRequest(7, 2)));
                awaitAudit(deployment, 4);
                assertThat(deployment.audit())
                        .extracting(AuditRecord::getChain)
                        .containsExactly("default|SLIP|7", "default|SLIP|8", "default|SLIP|9", "default|SLIP|7");
                assertThat(read(deployment, deployment.names.deadLetters(Stage.INTERNAL)))
                        .isEmpty();
            }
        }
    }

    @Test
    void recordsOfAnotherClientPreventNoStart() throws Exception {
        try (SigningDeployment deployment = new SigningDeployment(directory, 1)) {
            try (Instance instance = deployment.start()) {
                deployment.send(List.of(InputRecord.slipRequest(7, 1)));
                awaitAudit(deployment, 1);
            }
            writeToAllInternalTopics(deployment, 20);
            assertThat(preflight(deployment.values)).isEmpty();

            writeToAllInternalTopics(deployment, 2_000);
            assertThat(preflight(deployment.values))
                    .singleElement()
                    .satisfies(finding -> assertThat(finding.remedy()).contains("run parley seal --execute"));
            seal(deployment, false);
            assertThat(preflight(deployment.values)).isEmpty();
        }
    }

    private static void writeToAllInternalTopics(SigningDeployment deployment, int records) throws Exception {
        try (Admin admin = Admin.create(StreamsSettings.clientSettings(deployment.config));
                Producer<byte[], byte[]> insider = deployment.producer(Map.of())) {
            for (String topic : admin.listTopics().names().get()) {
                if (topic.startsWith(deployment.config.getString("application.id") + "-")) {
                    for (int i = 0; i < records; i++) {
                        insider.send(new ProducerRecord<>(topic, 0, ("key" + i).getBytes(UTF_8), new byte[] {1}));
                    }
                }
            }
        }
    }

    /** A record of the repartition topic, of an input partition of its own. */
    private static ProducerRecord<byte[], byte[]> unjudged(SigningDeployment deployment, int session) {
        String repartition = deployment.config.getString("application.id") + "-by-conversation-repartition";
        Inbound input = new Inbound(
                new Source(deployment.names.wire(), session, 0L, Instant.parse("2026-01-31T12:00:00Z"), null),
                null,
                ByteBuffer.wrap(InputRecord.slipRequest(session, 1).value()),
                List.of(),
                null,
                null);
        return new ProducerRecord<>(
                repartition,
                0,
                System.currentTimeMillis(),
                ("default|SLIP|" + session).getBytes(UTF_8),
                deployment.serdes.values(Inbound.class).serializer().serialize(repartition, input));
    }

    /** What the check of the key says before a start with these settings. */
    private static List<Finding> preflight(Map<String, String> values) {
        return Preflight.of(ServerConfig.of(values), Features.STANDARD).stream()
                .filter(finding -> finding.check() == Check.INTERNAL_KEY_DIFFERS)
                .toList();
    }

    private static void seal(SigningDeployment deployment, boolean trustAll) {
        try (Admin admin = Admin.create(StreamsSettings.clientSettings(deployment.config))) {
            ChangePlan plan = Sealing.plan(admin, deployment.withNewState(), trustAll);
            assertThat(plan.refusals()).isEmpty();
            assertThat(plan.steps()).isNotEmpty();
            plan.steps().forEach(step -> step.work().run());
        }
    }

    /** Sequence, verdict and code of each record of a conversation. */
    private static List<String> verdicts(SigningDeployment deployment, String conversation) {
        return deployment.audit().stream()
                .filter(record -> record.getChain().endsWith(conversation))
                .map(record -> record.getSequence() + " " + record.getVerdict() + " " + record.getCode())
                .toList();
    }

    private static void awaitAudit(SigningDeployment deployment, int records) {
        await().atMost(SigningDeployment.TIMEOUT)
                .untilAsserted(() -> assertThat(deployment.audit()).hasSize(records));
    }

    private static List<ConsumerRecord<byte[], byte[]>> read(SigningDeployment deployment, String topic) {
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        try (TopicReader reader = new TopicReader(StreamsSettings.clientSettings(deployment.config))) {
            reader.readAll(topic, all::add);
        }
        return all;
    }
}
