package dev.parley.topology.pipeline;

import static dev.parley.topology.pipeline.DeadLetterAssert.assertThatLetter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Claims;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import dev.parley.server.deployment.AclRole;
import dev.parley.server.deployment.Deployment;
import dev.parley.server.redrive.RedriveFeature;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.topics.TopicSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A policy binds the claims of messages to the writers of a topic, whom Kafka authenticates. */
class InputPolicyTest extends AbstractPipelineTest {
    private static final String POLICY = """
            # the two agent systems
            {"topic":"a.wire","namespaces":["a"],"senders":["0","1"]}
            {"topic":"b.slip","protocol":"slip","namespaces":["b"],"senders":["*"],"conversations":["7","8"]}

            {"topic":"b.lambda","protocol":"lambda","namespaces":["b"],"senders":["*"]}
            {"topic":"a.lambda","protocol":"lambda","namespaces":["a"],"senders":["A1"]}
            """;

    @TempDir
    private Path files;

    private Map<String, Object> settings;

    @BeforeEach
    void startWithPolicy() throws IOException {
        settings = Map.of(
                ParleyConfig.INPUT_POLICY_FILE,
                Files.writeString(files.resolve("policy.jsonl"), POLICY).toString());
        start(settings);
    }

    @Test
    void impostorCannotExtendAVictimsChain() {
        Source victim = pipeline.send(
                InputRecord.slipRequest(7, 1).header("parley-namespace", "a").to("a.wire"));
        Source namespace = pipeline.send(
                InputRecord.slipRequest(7, 2).header("parley-namespace", "a").to("b.slip"));
        Source sender = pipeline.send(InputRecord.text("@a3|f0|c7|S5|d1|T2|k1#")
                .header("parley-namespace", "a")
                .to("a.wire"));
        Source none = pipeline.send(InputRecord.slipRequest(7, 2).to("a.wire"));
        Source conversation = pipeline.send(
                InputRecord.slipRequest(9, 1).header("parley-namespace", "b").to("b.slip"));
        Source unnamedTopic = pipeline.send(InputRecord.slipRequest(7, 2).header("parley-namespace", "a"));

        assertThat(pipeline.auditOf(victim).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        for (Source refused : List.of(namespace, sender, none, conversation, unnamedTopic)) {
            AuditRecord audit = pipeline.auditOf(refused);
            assertThat(audit.getVerdict()).isEqualTo(Verdict.UNDECODABLE.name());
            assertThat(audit.getCode()).isEqualTo(Code.INPUT_NOT_ALLOWED.name());
            assertThat(audit.getChain()).isEqualTo("|UNKNOWN|" + refused.getTopic() + "-0");
        }
        assertThat(pipeline.audit())
                .filteredOn(record -> record.getChain().equals("a|SLIP|7"))
                .hasSize(1);
        assertThat(pipeline.auditOf(sender).getDetail()).contains("sender '5'", "a.wire");
        assertThat(pipeline.auditOf(unnamedTopic).getDetail()).contains("no line for topic parley.wire");
        assertThatLetter(pipeline.deadLetters(Stage.DECODE).get(0))
                .failedAt(Stage.DECODE, Code.INPUT_NOT_ALLOWED)
                .cameFrom(namespace);
        Source honest = pipeline.send(InputRecord.text("@a4|f1|c7|S1|d0|T2|k1#")
                .header("parley-namespace", "a")
                .to("a.wire"));
        assertThat(pipeline.auditOf(honest).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
    }

    @Test
    void claimsAreBoundByThePolicy() {
        assertThat(claims("@a3|c7|S0", "a", "a.wire")).isEqualTo(new Claims("SLIP", "a", "7", "0"));
        assertThat(claims("@a3|c7|S5", "a", "a.wire")).isEqualTo(new Claims("SLIP", "a", "7", null));
        assertThat(claims("@a3|c7|S0", "a", "b.slip")).isEqualTo(new Claims("SLIP", null, null, null));
        assertThat(claims("@a3|c9|S5", "b", "b.slip")).isEqualTo(new Claims("SLIP", "b", null, "5"));
        assertThat(claims("@a3|c7|S0", "a", "parley.wire")).isEqualTo(new Claims("SLIP", null, null, null));
        // A message that the policy refuses claims what is allowed.
        assertThat(claims("@a3|f0|c7|S5|d1|T2|k1#", "a", "a.wire")).isEqualTo(new Claims("SLIP", "a", "7", null));
    }

    private Claims claims(String wire, String namespace, String topic) {
        Source source = pipeline.send(
                InputRecord.text(wire).header("parley-namespace", namespace).to(topic));
        AuditRecord audit = pipeline.auditOf(source);
        assertThat(audit.getVerdict()).isEqualTo(Verdict.UNDECODABLE.name());
        assertThat(audit.getChain()).as("claims choose no chain").isEqualTo("|UNKNOWN|" + topic + "-0");
        return audit.getClaims();
    }

    @Test
    void policyTopicHasItsProtocol() {
        Source source = pipeline.send(
                InputRecord.text("@broken").header("parley-namespace", "b").to("b.slip"));
        assertThat(pipeline.auditOf(source).getCode()).startsWith("SLIP_");
    }

    @Test
    void messageWithoutSenderNeedsATopicThatAllowsAny() {
        Source refused = pipeline.send(
                InputRecord.text("!Ik").key("t").header("parley-namespace", "a").to("a.lambda"));
        Source relayed = pipeline.send(InputRecord.text("A1>A2:!Ik")
                .key("t")
                .header("parley-namespace", "a")
                .to("a.lambda"));
        Source claimed = pipeline.send(InputRecord.text("!Ik")
                .key("t")
                .header("parley-namespace", "a")
                .header("parley-sender", "A1")
                .to("a.lambda"));
        Source any = pipeline.send(
                InputRecord.text("!Ik").key("t").header("parley-namespace", "b").to("b.lambda"));

        assertThat(pipeline.auditOf(refused).getDetail()).contains("a message without sender");
        assertThat(pipeline.auditOf(relayed).getCode())
                .as("a relay prefix is content")
                .isEqualTo("INPUT_NOT_ALLOWED");
        assertThat(pipeline.auditOf(claimed).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(pipeline.auditOf(any).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.wire", "b.slip", "a.lambda"})
    void policyTopicsAreInputsEverywhere(String topic) {
        Map<String, Object> values = new java.util.HashMap<>(settings);
        values.put(ParleyConfig.BOOTSTRAP_SERVERS, "unused:1");
        ParleyConfig config = new ParleyConfig(values);
        Deployment deployment = Deployment.of(config);
        assertThat(deployment.pipeline().reads()).contains(topic);
        assertThat(TopicSetup.of(config).names()).contains(topic);
        for (AclRole aclRole : List.of(
                AclRole.PIPELINE,
                AclRole.PRODUCER,
                new RedriveFeature().role().orElseThrow(),
                AclRole.VERIFIER,
                AclRole.RESET)) {
            assertThat(aclRole.needs(deployment))
                    .as("%s", aclRole)
                    .anyMatch(requiredAcl -> requiredAcl.name().equals(topic));
        }
    }
}
