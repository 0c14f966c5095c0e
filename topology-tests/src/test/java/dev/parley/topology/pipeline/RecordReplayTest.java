package dev.parley.topology.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Redaction;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import dev.parley.log.RecordVerifier;
import dev.parley.log.RestoredLogException;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.views.AuditRecords;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** An audit record that its input and its dialogue do not give is found, and no other one. */
class RecordReplayTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    private final Map<Source, ConsumerRecord<byte[], byte[]>> inputs = new HashMap<>();
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final Logger log = (Logger) LoggerFactory.getLogger(RecordReplay.class);
    private final Random random = new Random(1);
    private PipelineDriver pipeline;

    @BeforeEach
    void startLog() {
        logged.start();
        log.addAppender(logged);
    }

    @AfterEach
    void stop() {
        log.detachAppender(logged);
        pipeline.close();
    }

    private void start(Map<String, ?> changes) {
        pipeline = PipelineDriver.in(directory, changes);
    }

    private static RecordReplay replay(Map<String, ?> changes) {
        return new RecordReplay(PipelineSettings.of(new ParleyConfig(changes)));
    }

    private Source send(InputRecord record) {
        Source source = pipeline.send(record);
        inputs.put(
                new Source(source.getTopic(), 0, source.getOffset(), Instant.EPOCH, null),
                new ConsumerRecord<>(
                        source.getTopic(),
                        0,
                        source.getOffset(),
                        source.getTimestamp().toEpochMilli(),
                        TimestampType.LOG_APPEND_TIME,
                        -1,
                        -1,
                        record.key(),
                        record.value(),
                        record.headers(),
                        Optional.empty()));
        return source;
    }

    private ConsumerRecord<byte[], byte[]> inputOf(AuditRecord record) {
        Source source = record.getSource();
        return inputs.get(new Source(source.getTopic(), 0, source.getOffset(), Instant.EPOCH, null));
    }

    private List<AuditRecord> audit() {
        pipeline.waitFor(Duration.ofSeconds(5));
        return pipeline.audit();
    }

    /** Sends all conformance vectors, each also with changed bytes, and some records of unusual parts. */
    private void sendAll() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("conformance"))) {
            for (Path file : files.filter(path -> path.toString().endsWith(".jsonl")
                            && !path.toString().contains("target"))
                    .sorted()
                    .toList()) {
                for (String line : Files.readAllLines(file)) {
                    JsonNode vector = JSON.readTree(line);
                    for (JsonNode message : vector.has("messages") ? vector.get("messages") : List.of(vector)) {
                        sendVector(message, vector.path("protocol").asText());
                    }
                }
            }
        }
        InputRecord event = InputRecord.text("{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/a\",\"type\":\"msg\","
                        + "\"parleynamespace\":\"acme\",\"parleysender\":\"A1\",\"time\":\"2026-01-31T12:00:00Z\","
                        + "\"data\":\"@a3|f0|c7|S0|d1|T1|k1#\"}")
                .header("content-type", "application/cloudevents+json");
        send(event);
        for (int i = 0; i < 998; i++) {
            event = event.header("h" + i, "");
        }
        // The attributes make it exceed the headers of a record.
        send(event);
        send(event.header("h998", "").header("h999", "").header("h1000", ""));
        send(InputRecord.tombstone());
        send(InputRecord.bytes(new byte[(1 << 20) + 1]));
        send(InputRecord.slipRequest(7, 9).key("k".repeat(70_000)));
        send(InputRecord.slipRequest(7, 9).header("parley-sender", new byte[] {1, (byte) 0xFF}));
        // Not applied, because of another position and of a violation.
        send(InputRecord.slipRequest(72, 1).header("parley-expect", "0 accepted"));
        send(InputRecord.slipRequest(72, 2).header("parley-expect", "0"));
        send(InputRecord.slipRequest(72, 1).header("parley-expect", "2 accepted"));
        send(InputRecord.slipRequest(72, 9).header("parley-expect", "accepted"));
        // Parked, rejected after a release, and expired.
        send(InputRecord.patch("talk", "P2", "C1", "C2", "+ DEF SRC = src/"));
        send(InputRecord.patch("talk", "P3", "C2", "C3", "- DEF NONE"));
        send(InputRecord.patch("talk", "P1", "C0", "C1", "+ DEF DOC = doc/"));
        send(InputRecord.patch("talk", "P9", "C8", "C9", "+ DEF SRC = src/"));
        pipeline.later(Duration.ofDays(2));
        send(InputRecord.slipRequest(70, 1));
    }

    private void sendVector(JsonNode vector, String protocol) {
        JsonNode wire = vector.path("wire");
        if (!wire.isTextual()) {
            return;
        }
        InputRecord record = InputRecord.text(wire.asText());
        if (vector.path("topic").asText().startsWith("parley.wire")) {
            record = record.to(vector.path("topic").asText());
        } else if (!protocol.isEmpty()) {
            record = record.to("parley.wire." + protocol);
        }
        if (vector.path("key").isTextual()) {
            record = record.key(vector.path("key").asText());
        }
        for (Map.Entry<String, JsonNode> header : vector.path("headers").properties()) {
            record = record.header(header.getKey(), header.getValue().asText());
        }
        send(record);
        byte[] changed = record.value().clone();
        for (int i = random.nextInt(3); changed.length > 0 && i >= 0; i--) {
            changed[random.nextInt(changed.length)] =
                    (byte) (random.nextBoolean() ? random.nextInt(256) : "\"\\#|{}[]u\n".charAt(random.nextInt(10)));
        }
        send(new InputRecord(record.topic(), record.key(), changed, record.headers(), null));
    }

    /** Judges a record again and compares it with its input; returns the difference. */
    private Optional<String> compared(RecordReplay replay, AuditRecord record) {
        try {
            replay.compare(new RecordVerifier().check(record), inputOf(record));
            return Optional.empty();
        } catch (RestoredLogException e) {
            return Optional.of(e.getMessage());
        }
    }

    private static Optional<String> judged(RecordReplay replay, AuditRecord record) {
        try {
            replay.judge(new RecordVerifier().check(record));
            return Optional.empty();
        } catch (RestoredLogException e) {
            return Optional.of(e.getMessage());
        }
    }

    @Test
    void everyRecordOfThePipelineFollows() throws IOException {
        start(Map.of());
        sendAll();
        Source first = send(InputRecord.slipRequest(71, 1));
        Redaction redaction = AuditRecords.redaction(pipeline.auditOf(first));
        send(InputRecord.bytes(pipeline.written(redaction))
                .to("parley.redaction.v1")
                .key(redaction.getChain()));
        send(InputRecord.slipRequest(71, 2));

        RecordReplay replay = replay(Map.of());
        for (AuditRecord record : audit()) {
            assertThat(judged(replay, record)).isEmpty();
            assertThat(compared(replay, record)).isEmpty();
        }
        assertThat(logged.list).isEmpty();
        assertThat(audit())
                .extracting(AuditRecord::getCode)
                .contains(
                        null,
                        Code.SLIP_TURN_REGRESSION.name(),
                        Code.CSP_UNKNOWN_BASE.name(),
                        Code.MESSAGE_TOO_LARGE.name(),
                        Code.HEADERS_TOO_LARGE.name());
    }

    @Test
    void recordsOfOtherSettingsFollowAndTheFirstIsReported() throws IOException {
        Map<String, Object> other = Map.of(
                ParleyConfig.INPUT_POLICY_FILE,
                policy("a", """
                    {"topic":"parley.wire","namespaces":["*"],"senders":["A1"]}
                    {"topic":"parley.wire.slip","namespaces":["acme"],"senders":["*"]}
                    {"topic":"a.wire","protocol":"subit","namespaces":["*"],"senders":["*"]}
                    """),
                ParleyConfig.PROFILE,
                "strict",
                ParleyConfig.LIMIT_BYTES,
                60,
                ParleyConfig.LIMIT_DEPTH,
                2);
        Map<String, Object> present = Map.of(
                ParleyConfig.INPUT_POLICY_FILE,
                policy(
                        "b",
                        Stream.of("parley.wire", "parley.wire.slip", "parley.wire.subit", "parley.wire.csp", "a.wire")
                                .map(topic ->
                                        "{\"topic\":\"" + topic + "\",\"namespaces\":[\"*\"],\"senders\":[\"*\"]}\n")
                                .collect(Collectors.joining())));
        expectExplained(other, present);
        assertThat(audit()).extracting(AuditRecord::getCode).contains(Code.INPUT_NOT_ALLOWED.name());
        pipeline.close();
        expectExplained(present, other);
    }

    private String policy(String name, String lines) throws IOException {
        return Files.writeString(directory.resolve(name), lines).toString();
    }

    /** Expects that records of some settings are compared under others without a difference, and one is reported. */
    private void expectExplained(Map<String, Object> then, Map<String, Object> now) throws IOException {
        inputs.clear();
        logged.list.clear();
        start(then);
        sendAll();
        for (String text : List.of("@a3|f0|c7|S0|d1|T1|k1#", "{\"type\":\"STATE\",\"payload\":\"000110\"}", "noise")) {
            send(InputRecord.text(text).to("a.wire").key("k"));
        }
        RecordReplay replay = replay(now);
        for (AuditRecord record : audit()) {
            assertThat(compared(replay, record)).isEmpty();
        }
        assertThat(logged.list)
                .filteredOn(event -> event.getLevel() == Level.WARN)
                .singleElement()
                .satisfies(event -> assertThat(event.getFormattedMessage()).contains("Other settings give it"));
    }

    /** A record of an input, changed. */
    private AuditRecord forged(Source source, Consumer<AuditRecord> change) {
        AuditRecord forged = AuditRecord.newBuilder(pipeline.auditOf(source)).build();
        change.accept(forged);
        return forged;
    }

    private void expectDifference(Source source, Consumer<AuditRecord> change, String cause) {
        AuditRecord forged = forged(source, change);
        assertThat(compared(replay(Map.of()), forged))
                .hasValueSatisfying(difference -> assertThat(difference)
                        .contains(cause)
                        .contains("start with that until a head has been signed"));
    }

    @Test
    void anUndecodableInputIsNoMessage() {
        start(Map.of());
        AgentMessage message =
                pipeline.auditOf(send(InputRecord.slipRequest(7, 1))).getMessage();
        Source noise = send(InputRecord.text("@a9|f9|noise"));
        byte[] raw = "@a9|f9|noise".getBytes(UTF_8);

        expectDifference(
                noise,
                record -> {
                    message.setSource(record.getSource());
                    message.setMessageId("parley.wire-0-1");
                    message.setSender("boss");
                    message.setRaw(ByteBuffer.wrap(raw));
                    message.setSha256(record.getPayloadHash());
                    record.setChain("default|SLIP|7");
                    record.setVerdict(Verdict.ACCEPTED.name());
                    record.setStage(Stage.NONE.name());
                    record.setCode(null);
                    record.setPosition(null);
                    record.setClaims(null);
                    record.setRaw(null);
                    record.setMessage(message);
                },
                "decoded again, it is undecodable (SLIP_");
    }

    @Test
    void aMessageHasTheFieldsOfItsInput() {
        start(Map.of());
        Source request = send(InputRecord.slipRequest(7, 1));
        String cause = "decoded again, it is a message of default|SLIP|7 from 0";

        expectDifference(request, record -> record.getMessage().setSender("boss"), cause);
        expectDifference(request, record -> record.getMessage().setRecipients(List.of("9")), cause);
        expectDifference(request, record -> record.getMessage().getSlip().setTurn(9L), cause);
        expectDifference(request, record -> record.getMessage().setNamespace("acme"), cause);
        expectDifference(request, record -> record.setChain("acme|SLIP|7"), cause);
        expectDifference(request, record -> record.getMessage().getSource().setOffset(9L), cause);
        expectDifference(request, record -> record.setVerdict(Verdict.UNDECODABLE.name()), cause);
        expectDifference(request, record -> record.setRedaction(AuditRecords.redaction(record)), cause);
        expectDifference(
                request,
                record -> {
                    record.setChain("|UNKNOWN|parley.wire-0");
                    record.setVerdict(Verdict.UNDECODABLE.name());
                    record.setStage(Stage.DECODE.name());
                    record.setCode(Code.SLIP_NO_START.name());
                    record.setPosition(0);
                    record.setRaw(record.getMessage().getRaw());
                    record.setMessage(null);
                },
                cause);
    }

    @Test
    void aViolationThatTheMessageShowsIsNeitherHiddenNorInvented() {
        start(Map.of());
        Source wrong =
                send(InputRecord.text("!Ik/co[n12]").to("parley.wire.lambda").key("k"));
        Source right = send(InputRecord.text("!Ik").to("parley.wire.lambda").key("k"));
        AuditRecord shown = pipeline.auditOf(wrong);
        assertThat(shown.getCode()).isEqualTo(Code.LAMBDA_CHECKSUM.name());

        expectDifference(
                wrong,
                record -> {
                    record.setVerdict(Verdict.ACCEPTED.name());
                    record.setCode(null);
                },
                "a message of default|LAMBDA|k");
        expectDifference(
                right,
                record -> {
                    record.setVerdict(Verdict.REJECTED.name());
                    record.setCode(shown.getCode());
                    record.setRule(shown.getRule());
                },
                "a message of default|LAMBDA|k");
    }

    @Test
    void aMessageIsNotAppliedOnlyIfItsHeaderSaysSo() {
        start(Map.of());
        Source plain = send(InputRecord.slipRequest(7, 1));
        Source met = send(InputRecord.slipRequest(8, 1).header("parley-expect", "0"));
        Source missed = send(InputRecord.slipRequest(8, 2).header("parley-expect", "0"));
        AuditRecord moved = pipeline.auditOf(missed);
        assertThat(moved.getCode()).isEqualTo(Code.CONVERSATION_MOVED.name());
        Consumer<AuditRecord> forged = record -> {
            record.setVerdict(Verdict.REJECTED.name());
            record.setStage(Stage.JUDGE.name());
            record.setCode(moved.getCode());
            record.setRule(moved.getRule());
        };

        expectDifference(plain, forged, "a message of default|SLIP|7");
        expectDifference(met, forged, "a message of default|SLIP|8");
        expectDifference(
                missed,
                record -> {
                    record.setVerdict(Verdict.ACCEPTED.name());
                    record.setStage(Stage.NONE.name());
                    record.setCode(null);
                    record.setRule(null);
                },
                "a message of default|SLIP|8");
    }

    @Test
    void anInputOfTheRedactionTopicIsNoMessage() {
        start(Map.of());
        Source request = send(InputRecord.slipRequest(7, 1).to("parley.redaction.v1"));
        AgentMessage message =
                pipeline.auditOf(send(InputRecord.slipRequest(7, 1))).getMessage();
        AuditRecord forged = forged(request, record -> record.setMessage(message));

        assertThat(compared(replay(Map.of()), forged)).isPresent();
    }

    @Test
    void aDialogueThatIsWhollyKnownIsJudgedAgain() {
        start(Map.of());
        Source illegal = send(InputRecord.slipAcceptOfNothing(7, 1));
        Source legal = send(InputRecord.slipRequest(8, 1));
        Source later = send(InputRecord.slipRequest(8, 2));
        Consumer<AuditRecord> accepted = record -> {
            record.setVerdict(Verdict.ACCEPTED.name());
            record.setCode(null);
        };

        assertThat(judged(replay(Map.of()), pipeline.auditOf(illegal))).isEmpty();
        expectJudged(illegal, accepted);
        expectJudged(illegal, record -> {
            accepted.accept(record);
            record.setStage(Stage.APPLY.name());
        });
        expectDifference(
                legal,
                record -> record.setStage(Stage.APPLY.name()),
                "decoded again, it is a message of default|SLIP|8 from 0");
        expectJudged(legal, record -> {
            record.setVerdict(Verdict.REJECTED.name());
            record.setCode(Code.SLIP_TURN_REGRESSION.name());
            record.setStage(Stage.APPLY.name());
        });
        // The state before it is not known.
        assertThat(judged(replay(Map.of()), forged(later, record -> {
                    record.setVerdict(Verdict.REJECTED.name());
                    record.setCode(Code.SLIP_TURN_REGRESSION.name());
                })))
                .isEmpty();
    }

    private void expectJudged(Source source, Consumer<AuditRecord> change) {
        assertThat(judged(replay(Map.of()), forged(source, change)))
                .hasValueSatisfying(difference -> assertThat(difference).contains("judged again, the message"));
    }
}
