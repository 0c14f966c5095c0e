package dev.parley.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.Profile;
import dev.parley.avro.Source;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Limits;
import dev.parley.codec.RecordHeaders;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.decode.WireProtocol;
import dev.parley.decode.WireProtocols;
import dev.parley.decode.WireRecord;
import dev.parley.diagnosis.ValueDiagnosis;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks the codecs, detection and the envelope against the vectors in the folder conformance: one test per vector and
 * profile. docs/conformance.md describes the vectors. Stricter than the kit: warnings must be in the order of
 * detection.
 */
class CodecConformanceTest {
    private static final Map<String, WireProtocol<?>> TOPICS = WireProtocols.STANDARD.all().stream()
            .collect(Collectors.toMap(protocol -> "parley.wire." + protocol.topicSuffix(), protocol -> protocol));

    /** A vector under one profile. */
    record Trial(JsonNode vector, Profile profile) {
        JsonNode expected() {
            return vector.has("expect")
                    ? vector.get("expect")
                    : vector.get(profile == Profile.STRICT ? "strict" : "lenient");
        }

        DecodeOptions options() {
            JsonNode settings = vector.path("settings");
            return new DecodeOptions(
                    profile,
                    new Limits(
                            settings.path("limits.message.bytes").asInt(Limits.DEFAULT.messageBytes()),
                            settings.path("limits.depth").asInt(Limits.DEFAULT.depth()),
                            settings.path("limits.fields").asInt(Limits.DEFAULT.fields()),
                            settings.path("limits.operations").asInt(Limits.DEFAULT.operations())));
        }

        @Override
        public String toString() {
            return vector.get("id").asText() + " " + profile + ": "
                    + vector.get("title").asText();
        }
    }

    static Stream<Trial> decodeVectors() {
        return trials("decode");
    }

    static Stream<Trial> recordVectors() {
        return trials("record");
    }

    private static Stream<Trial> trials(String folder) {
        return Vectors.in(folder).stream()
                .flatMap(
                        vector -> Stream.of(Profile.LENIENT, Profile.STRICT).map(profile -> new Trial(vector, profile)))
                .filter(trial -> trial.expected() != null);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("decodeVectors")
    void aMessageDecodesAsInItsVector(Trial trial) {
        decodes(
                trial,
                WireProtocols.STANDARD.named(trial.vector().get("protocol").asText()));
    }

    private static <M extends SpecificRecord> void decodes(Trial trial, WireProtocol<M> protocol) {
        byte[] wire = VectorJson.bytes(trial.vector().get("wire"));
        DecodeResult<M> result = protocol.codec().decode(wire, trial.options());
        JsonNode expected = trial.expected();
        if (result instanceof DecodeResult.Malformed<M> error) {
            DecodeResult.Malformed<?> fault = ValueDiagnosis.explain(wire, protocol.symbol(), error);
            assertThat(fault(fault.code(), fault.offset())).as(fault.detail()).isEqualTo(expected);
            return;
        }
        DecodeResult.Decoded<M> decoded = (DecodeResult.Decoded<M>) result;
        assertThat(expected.has("code"))
                .as("a message, where a fault is expected")
                .isFalse();
        if (expected.has("message")) {
            assertThat(VectorJson.of((IndexedRecord) decoded.message())).isEqualTo(expected.get("message"));
        }
        assertThat(decoded.warnings()).isEqualTo(codes(expected.path("warnings")));
        assertThat(decoded.violations()).isEqualTo(codes(expected.path("violations")));
        AgentMessage envelope = new AgentMessage();
        protocol.put(envelope, decoded.message());
        byte[] canonical = expected.has("canonical") ? VectorJson.bytes(expected.get("canonical")) : wire;
        assertThat(new String(protocol.codec().encode(protocol.message(envelope)), UTF_8))
                .isEqualTo(new String(canonical, UTF_8));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("recordVectors")
    void aRecordIsDecodedAsInItsVector(Trial trial) {
        JsonNode vector = trial.vector();
        Map<String, byte[]> headers = new HashMap<>();
        vector.path("headers")
                .properties()
                .forEach(header -> headers.put(header.getKey(), VectorJson.bytes(header.getValue())));
        WireRecord record = new WireRecord(
                new Source(vector.path("topic").asText("parley.wire"), 0, 0L, Instant.EPOCH, null),
                VectorJson.bytes(vector.path("key")),
                VectorJson.bytes(vector.get("wire")),
                RecordHeaders.of(headers));
        RecordDecodeResult recordDecodeResult =
                ValueDiagnosis.decoder(trial.options(), TOPICS).decode(record);
        JsonNode expected = trial.expected();
        if (recordDecodeResult instanceof RecordDecodeResult.Undecodable fault) {
            ObjectNode actual = fault(fault.code(), fault.position());
            actual.put("protocol", fault.protocol().name());
            if (fault.claims() != null) {
                actual.put("namespace", fault.claims().getNamespace());
                actual.put("conversation", fault.claims().getConversation());
                actual.put("sender", fault.claims().getSender());
            }
            if (!fault.inner().isEmpty()) {
                ArrayNode inner = actual.putArray("inner");
                fault.inner().forEach(message -> inner.add(VectorJson.of(message)));
            }
            expected.properties()
                    .forEach(field -> assertThat(actual.path(field.getKey()))
                            .as(field.getKey() + ": " + fault.detail())
                            .isEqualTo(field.getValue()));
            return;
        }
        RecordDecodeResult.Message message = (RecordDecodeResult.Message) recordDecodeResult;
        ObjectNode envelope = (ObjectNode) VectorJson.of(message.message());
        expected.properties().stream()
                .filter(field ->
                        !field.getKey().equals("warnings") && !field.getKey().equals("violations"))
                .forEach(field -> assertThat(envelope.path(field.getKey())).isEqualTo(field.getValue()));
        assertThat(message.warnings()).isEqualTo(codes(expected.path("warnings")));
        assertThat(message.violations()).isEqualTo(codes(expected.path("violations")));
    }

    /** Detection finds the protocol of every message of the kit, or none; only Λ has a warning where it finds none. */
    @Test
    void aMessageIsNeverDetectedAsAnotherProtocol() {
        for (JsonNode vector : Vectors.in("decode")) {
            byte[] wire = VectorJson.bytes(vector.get("wire"));
            WireProtocol<?> protocol =
                    WireProtocols.STANDARD.named(vector.get("protocol").textValue());
            if (protocol.codec().decode(wire, DecodeOptions.LENIENT) instanceof DecodeResult.Decoded<?> decoded) {
                WireProtocol<?> detected = ValueDiagnosis.detect(wire, WireProtocols.STANDARD);
                assertThat(detected).as(vector.toString()).isIn(protocol, null);
                assertThat(detected == null && protocol == WireProtocols.LAMBDA)
                        .as(vector.toString())
                        .isEqualTo(decoded.warnings().contains(Code.LAMBDA_UNLIKELY));
            }
        }
    }

    private static ObjectNode fault(Code code, int offset) {
        return VectorJson.object().put("code", code.name()).put("offset", offset);
    }

    private static List<Code> codes(JsonNode names) {
        List<Code> codes = new ArrayList<>();
        names.forEach(name -> codes.add(Code.of(name.asText())));
        return codes;
    }
}
