package dev.parley.server.redrive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.audit.InputPosition;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Source;
import dev.parley.codec.Code;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.decode.WireRecord;
import dev.parley.server.ServerConfig;
import dev.parley.server.redrive.DryRun.Prediction;
import dev.parley.server.redrive.DryRun.Routed;
import dev.parley.stage.JudgedRecord;
import dev.parley.stage.OfflinePipeline;
import dev.parley.topology.pipeline.PipelineSettings;
import dev.parley.topology.pipeline.RecordRouter;
import dev.parley.topology.topics.DeadLetterHeaders;
import dev.parley.topology.topics.KafkaHeaders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A dry run predicts what the pipeline does with the same record at the same time. */
class DryRunTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private final PipelineSettings settings = PipelineSettings.of(ServerConfig.of(Map.of()));
    private final OfflinePipeline pipeline = new OfflinePipeline(settings.stages());
    private final Map<String, List<AuditRecord>> chains = new LinkedHashMap<>();

    static Stream<Path> samples() throws IOException {
        return Files.list(Path.of("samples")).filter(file -> file.toString().endsWith(".jsonl"));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void everyMessageOfASampleIsPredicted(Path sample) throws IOException {
        long offset = 0;
        List<String> verdicts = new ArrayList<>();
        for (String line : Files.readAllLines(sample)) {
            JsonNode message = JSON.readTree(line);
            if (!message.path("wire").isTextual()) {
                continue;
            }
            Headers headers = new RecordHeaders();
            message.path("headers")
                    .fields()
                    .forEachRemaining(header -> headers.add(
                            header.getKey(), header.getValue().asText().getBytes(UTF_8)));
            byte[] key = message.path("key").isTextual()
                    ? message.path("key").asText().getBytes(UTF_8)
                    : null;
            Instant time = message.path("timestamp").isTextual()
                    ? Instant.parse(message.path("timestamp").asText())
                    : Instant.parse("2026-11-12T09:00:00Z").plusSeconds(offset);
            byte[] value = message.path("wire").asText().getBytes(UTF_8);

            Prediction predicted = predict(letter(key, value, headers), time);
            Prediction actual = accept(key, value, headers, time, offset++);

            assertThat(predicted.verdict()).as(line).isEqualTo(actual.verdict());
            assertThat(predicted.code()).as(line).isEqualTo(actual.code());
            verdicts.add(predicted.verdict());
        }
        assertThat(verdicts).isNotEmpty();
    }

    @Test
    void laterDeadLetterIsJudgedInTheStateAfterTheEarlierOne() {
        Instant now = Instant.parse("2026-11-12T09:00:00Z");
        DryRun dryRun = new DryRun(settings, now);
        RedriveItem request = letter(null, "@a3|f0|c1|S0|d1|T1|g1c|k1|q1|t\"release_2.4\"#".getBytes(UTF_8), none());
        RedriveItem repeated = letter(null, "@a2|f0|c1|S1|d0|T1|g1c|k1|t\"freeze_date\"#".getBytes(UTF_8), none());
        DryRun.Conversation conversation = dryRun.conversation();

        assertThat(conversation.judge(request, 2).verdict()).isEqualTo("ACCEPTED");
        assertThat(conversation.judge(repeated, 2).verdict())
                .as("the turn is taken")
                .isEqualTo("REJECTED");
    }

    @Test
    void conversationWithRemovedContentIsNotPredicted() {
        Instant now = Instant.parse("2026-11-12T09:00:00Z");
        byte[] value = "@a3|f0|c1|S0|d1|T1|g1c|k1|q1|t\"release_2.4\"#".getBytes(UTF_8);
        accept(null, value, none(), now, 0);
        AuditRecord removed = chains.values().iterator().next().get(0);
        removed.setMessage(null);
        DryRun dryRun = new DryRun(settings, now);
        DryRun.Conversation conversation = dryRun.conversation();
        conversation.replay(removed);

        Prediction prediction = conversation.judge(letter(null, value, none()), 2);

        assertThat(prediction.verdict()).isNull();
        assertThat(prediction.detail()).contains("the content of sequence 0 was removed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Here you are:\n```\n@a3|f0|c1|S0|d1|T1|k1#\n```\n",
                "{\"text\":\"@a3|f0|c1|S0|d1|T1|t\\\"x\\\"|k1#\"}",
            })
    void anUnwrappedMessageIsAccepted(String wrapped) {
        Instant now = Instant.parse("2026-11-12T09:00:00Z");
        byte[] value = wrapped.getBytes(UTF_8);
        WireRecord wire =
                new WireRecord(new Source("parley.wire", 0, 5L, now, null), null, value, KafkaHeaders.view(none()));
        Headers headers = none();
        DeadLetterHeaders.addInner(
                headers,
                new RecordRouter(settings)
                        .route(wire)
                        .map(message -> List.of(), RecordDecodeResult.Undecodable::inner));
        RedriveItem failed = letter(null, value, headers);
        Unwrapping unwrapping = new Unwrapping(Optional.empty());

        assertThat(predict(failed, now).code()).isEqualTo(Code.WRAPPED_MESSAGE.name());
        assertThat(unwrapping.refusal(failed.letter(), false)).isEmpty();
        byte[] inner = unwrapping.message(failed.letter()).bytes();
        assertThat(new String(inner, UTF_8)).startsWith("@a3|").endsWith("|k1#").doesNotContain("\\");
        assertThat(predict(new RedriveItem(failed.letter(), RedriveEdit.NONE.withValue(inner), false), now)
                        .verdict())
                .isEqualTo("ACCEPTED");
    }

    /** What the remedy asks for, as an edit of the dead letter. */
    static Stream<Arguments> remediesOfRecords() {
        byte[] lambda = "?Uc/la".getBytes(UTF_8);
        byte[] slip = "@a3|f0|c1|S0|d1|T1|k1#".getBytes(UTF_8);
        Headers sender = new RecordHeaders().add("parley-sender", "8".getBytes(UTF_8));
        Headers bad = new RecordHeaders().add("parley-namespace", new byte[] {(byte) 0xFF});
        Optional<RedriveEdit.Key> key = Optional.of(new RedriveEdit.Key("talk".getBytes(UTF_8)));
        return Stream.of(
                Arguments.of(
                        Code.UNKNOWN_PROTOCOL,
                        letter(null, "hello there".getBytes(UTF_8), none()),
                        new RedriveEdit(
                                Optional.of(lambda),
                                key,
                                Optional.of(new RecordHeaders().add("parley-protocol", "lambda".getBytes(UTF_8))))),
                Arguments.of(
                        Code.NO_CONVERSATION,
                        letter(null, lambda, none()),
                        new RedriveEdit(Optional.empty(), key, Optional.empty())),
                Arguments.of(
                        Code.NO_CONVERSATION,
                        letter(null, lambda, none()),
                        new RedriveEdit(
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(new RecordHeaders().add("parley-conversation", "t".getBytes(UTF_8))))),
                Arguments.of(
                        Code.BAD_HEADER,
                        letter(null, slip, bad),
                        new RedriveEdit(Optional.empty(), Optional.empty(), Optional.of(none()))),
                Arguments.of(
                        Code.KEY_TOO_LARGE,
                        letter(new byte[70_000], slip, sender),
                        new RedriveEdit(Optional.of(slip), key, Optional.of(none()))));
    }

    @ParameterizedTest
    @MethodSource("remediesOfRecords")
    void theRemedyOfARecordIsAnEditOfItsDeadLetter(Code code, RedriveItem failed, RedriveEdit remedy) {
        Instant now = Instant.parse("2026-11-12T09:00:00Z");

        assertThat(predict(failed, now).code()).isEqualTo(code.name());
        assertThat(predict(new RedriveItem(failed.letter(), remedy, false), now).verdict())
                .isEqualTo("ACCEPTED");
    }

    private static Headers none() {
        return new RecordHeaders();
    }

    private static RedriveItem letter(byte[] key, byte[] value, Headers headers) {
        Headers failed = new RecordHeaders(headers)
                .add("__streams.errors.topic", "parley.wire".getBytes(UTF_8))
                .add("__streams.errors.partition", "0".getBytes(UTF_8))
                .add("__streams.errors.offset", "5".getBytes(UTF_8));
        return new RedriveItem(
                new DeadLetterRecord(new InputPosition("parley.dlq.apply.v1", 0, 1), 0, key, value, failed),
                RedriveEdit.NONE,
                false);
    }

    private Prediction predict(RedriveItem item, Instant time) {
        DryRun dryRun = new DryRun(settings, time);
        Routed routed = dryRun.route(item, 2);
        if (routed.chain().isEmpty()) {
            return routed.undecodable();
        }
        DryRun.Conversation conversation = dryRun.conversation();
        chains.getOrDefault(routed.chain().get(), List.of()).forEach(conversation::replay);
        return conversation.judge(item, 2);
    }

    private Prediction accept(byte[] key, byte[] value, Headers headers, Instant time, long offset) {
        Source source = new Source("parley.wire", 0, offset, time, null);
        List<JudgedRecord> judged = new ArrayList<>();
        pipeline.accept(
                new WireRecord(source, key, value, KafkaHeaders.view(headers)),
                KafkaHeaders.toAvro(headers),
                judged::add,
                record -> chains.computeIfAbsent(record.getChain(), chain -> new ArrayList<>())
                        .add(record));
        JudgedRecord first = judged.stream()
                .filter(record -> record.inbound().getSource().equals(source))
                .findFirst()
                .orElseThrow();
        return first.isParked()
                ? new Prediction("PARKED", null, null)
                : new Prediction(
                        first.judgement().verdict().name(),
                        first.judgement().code() == null
                                ? null
                                : first.judgement().code().name(),
                        null);
    }
}
