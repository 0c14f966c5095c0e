package dev.parley.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.avro.Rule;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.decode.ConversationKey;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.gloss.Definitions;
import dev.parley.gloss.Glosser;
import dev.parley.json.ApiJson;
import dev.parley.log.ChainVerifier;
import dev.parley.ping.PingMessage;
import dev.parley.ping.PingProtocol;
import dev.parley.protocol.Glosses;
import dev.parley.protocol.ProtocolDefinition;
import dev.parley.protocol.Protocols;
import dev.parley.serde.WireSerde;
import dev.parley.state.PointInTime;
import dev.parley.state.QueryBudget;
import dev.parley.state.Replay;
import dev.parley.state.StateAnswer.State;
import dev.parley.state.StateModel;
import dev.parley.state.StateQueries;
import dev.parley.topology.pipeline.InputRecord;
import dev.parley.topology.pipeline.PipelineDriver;
import dev.parley.topology.topics.DeadLetterHeaders;
import dev.parley.topology.views.ViewsDriver;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A protocol that only the tests know goes the whole way, registered once and with no other edit. */
class FifthProtocolTest {
    private static final Protocols FIVE = Protocols.STANDARD.with(PingProtocol.DEFINITION);

    @TempDir
    private Path directory;

    private PipelineDriver pipeline;

    @BeforeEach
    void start() {
        pipeline = PipelineDriver.of(FIVE, directory.resolve("pipeline"));
    }

    @AfterEach
    void stop() {
        pipeline.close();
    }

    @Test
    void messagesGoFromTheWireToTheAudit() {
        Source source = pipeline.send(InputRecord.text("PING/1 7 ann PING 1"));

        AuditRecord audit = pipeline.auditOf(source);
        assertThat(audit.getChain()).isEqualTo("default|PING|7");
        assertThat(audit.getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(audit.getRule()).isEqualTo(new Rule("PING 1", "S", "IDLE × PING → OPEN", "IDLE", "PING", "OPEN"));
        assertThat(audit.getMessage().getProtocol()).isEqualTo(Protocol.EXTENSION.name());
        assertThat(audit.getMessage().getExtension().getProtocol()).isEqualTo("PING");
        TestRecord<String, AgentMessage> message = pipeline.messages().get(0);
        assertThat(message.key()).isEqualTo("default|PING|7");
        assertThat(PingProtocol.WIRE.codec().encode(PingProtocol.WIRE.message(message.value())))
                .isEqualTo("PING/1 7 ann PING 1".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void topicHeaderAndFirstBytesSelectTheProtocol() {
        for (InputRecord wire : List.of(
                InputRecord.text("PING/1 7 ann PING 1"),
                InputRecord.text("PING/1 7 bob PONG 1").to("parley.wire.ping"),
                InputRecord.text("PING/1 7 ann PING 2").header("parley-protocol", "Ping"))) {
            assertThat(pipeline.auditOf(pipeline.send(wire)).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        }
        AuditRecord malformed =
                pipeline.auditOf(pipeline.send(InputRecord.text("PING").to("parley.wire.ping")));
        assertThat(malformed.getCode()).isEqualTo("EXTENSION_MALFORMED");
        assertThat(pipeline.deadLetters(Stage.DECODE)).hasSize(1);
    }

    @Test
    void rulesRejectAndTheDeadLetterHasTheReason() {
        InputRecord stray = InputRecord.text("PING/1 7 bob PONG 1");
        AuditRecord audit = pipeline.auditOf(pipeline.send(stray));

        assertThat(audit.getVerdict()).isEqualTo(Verdict.REJECTED.name());
        assertThat(audit.getCode()).isEqualTo("EXTENSION_VIOLATION");
        assertThat(audit.getRule())
                .isEqualTo(new Rule("PING 1", "S", "IDLE × PONG → V EXTENSION_VIOLATION", "IDLE", "PONG", null));
        TestRecord<byte[], byte[]> letter = pipeline.deadLetters(Stage.JUDGE).get(0);
        assertThat(letter.value()).isEqualTo(stray.value());
        assertThat(new String(
                        letter.headers().lastHeader(DeadLetterHeaders.PROTOCOL).value(), StandardCharsets.UTF_8))
                .isEqualTo("PING");
        pipeline.send(InputRecord.text("PING/1 7 ann PING 1"));
        assertThat(pipeline.auditOf(pipeline.send(InputRecord.text("PING/1 7 ann PONG 1")))
                        .getRule()
                        .getSection())
                .isEqualTo("PING 2");
    }

    @Test
    void dialogueStateIsStoredAndExpires() {
        pipeline.send(InputRecord.text("PING/1 7 ann PING 1"));
        assertThat(pipeline.conversationStore()
                        .get("default|PING|7")
                        .getExtension()
                        .getProtocol())
                .isEqualTo("PING");
        pipeline.later(Duration.ofDays(2));
        assertThat(pipeline.auditOf(pipeline.send(InputRecord.text("PING/1 7 bob PONG 1")))
                        .getCode())
                .isEqualTo("EXTENSION_VIOLATION");
    }

    @Test
    void chainVerifiesAndDetectsAChangedBody() {
        pipeline.send(InputRecord.text("PING/1 7 ann PING 1"));
        pipeline.send(InputRecord.text("PING/1 7 bob PONG 1"));
        assertThat(faults(pipeline.audit())).isEmpty();

        List<AuditRecord> forged = pipeline.audit();
        PingProtocol.WIRE.put(
                forged.get(1).getMessage(),
                PingProtocol.WIRE.message(forged.get(0).getMessage()));
        assertThat(faults(forged)).isNotEmpty();
    }

    @Test
    void messagesFoldToAState() throws IOException {
        converse();

        Replay.StateAsOf latest = Replay.at(
                (StateModel.Folded) PingProtocol.DEFINITION.state().apply(DialogueSettings.DEFAULT),
                new PointInTime.AtSequence(2),
                pipeline.audit());
        assertThat(latest.entries().keySet()).containsExactlyInAnyOrder("agent/ann", "agent/bob");
        assertThat(latest.entries().get("agent/ann").value()).isEqualTo("2");

        try (ViewsDriver views = ViewsDriver.in(directory.resolve("views"))) {
            pipeline.audit().forEach(views::audit);
            StateQueries queries = new StateQueries(
                    views.views(),
                    name -> FIVE.stateModel(name, DialogueSettings.DEFAULT),
                    record -> record,
                    QueryBudget.UNLIMITED);
            ConversationKey conversation = ConversationKey.ofView("default", Protocol.EXTENSION, "PING|7");
            State state = queries.state(conversation, new PointInTime.Latest());
            assertThat(state.protocol()).isEqualTo("EXTENSION");
            assertThat(state.conversation()).isEqualTo("PING|7");
            assertThat(state.kind()).isEqualTo("numbers");
            assertThat(ApiJson.text(state)).contains("\"numbers\":{\"agent/ann\":\"2\",\"agent/bob\":\"2\"}");
        }
    }

    @Test
    void messagesFoldToTheSameStateAfterARedaction() {
        converse();
        AuditRecord first = pipeline.audit().get(0);
        pipeline.redact(new dev.parley.avro.Redaction(
                first.getChain(),
                first.getSequence(),
                first.getSource(),
                first.getPayloadHash(),
                "privacy",
                "mia",
                PipelineDriver.START,
                false));
        assertThat(pipeline.conversationStore().get("default|PING|7").getRedactions())
                .isEqualTo(1);
        assertThat(pipeline.auditOf(pipeline.send(InputRecord.text("PING/1 7 bob PING 3")))
                        .getVerdict())
                .isEqualTo(Verdict.ACCEPTED.name());
        assertThat(pipeline.auditOf(pipeline.send(InputRecord.text("PING/1 7 bob PONG 3")))
                        .getRule()
                        .getSection())
                .isEqualTo("PING 2");
        assertThat(faults(pipeline.audit())).isEmpty();
    }

    @Test
    void itsMessagesHaveAPlainGlossUntilItBringsOne() {
        Source source = pipeline.send(InputRecord.text("PING/1 7 ann PING 1"));
        AgentMessage message = pipeline.auditOf(source).getMessage();
        assertThat(new Glosses(FIVE).gloss(message, Definitions.NONE))
                .isEqualTo("ann sends a message of PING (" + message.getPerformative() + ")");

        Glosser own = (ping, definitions, sentence) ->
                sentence.value(ping.getSender()).add(" pings");
        ProtocolDefinition glossed = PingProtocol.DEFINITION.with(own);
        assertThat(new Glosses(Protocols.STANDARD.with(glossed)).gloss(message, Definitions.NONE))
                .isEqualTo("ann pings");
    }

    @Test
    void codecIsASerde() {
        try (WireSerde<PingMessage> serde = new WireSerde<>(PingProtocol.WIRE.codec())) {
            byte[] wire = "PING/1 7 ann PING 1".getBytes(StandardCharsets.UTF_8);
            assertThat(serde.serializer().serialize("t", serde.deserializer().deserialize("t", wire)))
                    .isEqualTo(wire);
        }
    }

    private void converse() {
        for (String text :
                List.of("PING/1 7 ann PING 1", "PING/1 7 bob PONG 1", "PING/1 7 ann PING 2", "PING/1 7 bob PONG 2")) {
            pipeline.send(InputRecord.text(text));
        }
    }

    private static List<?> faults(List<AuditRecord> records) {
        ChainVerifier verifier = new ChainVerifier();
        return records.stream()
                .flatMap(record -> verifier.check(record).stream())
                .toList();
    }
}
