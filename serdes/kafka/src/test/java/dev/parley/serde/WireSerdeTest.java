package dev.parley.serde;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.Performative;
import dev.parley.avro.Protocol;
import dev.parley.avro.Reference;
import dev.parley.avro.SlipMessage;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Traits;
import dev.parley.codec.WireCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WireSerdeTest {

    /** Messages are "@" and text; capitals depart from form, "!" cannot be said. */
    static final class FakeCodec implements WireCodec<Reference> {
        @Override
        public Protocol protocol() {
            return Protocol.SLIP;
        }

        @Override
        public DecodeResult<Reference> decode(byte[] wire, DecodeOptions options) {
            String text = new String(wire, StandardCharsets.UTF_8);
            if (wire.length > options.limits().messageBytes()) {
                return new DecodeResult.Malformed<>(
                        Code.MESSAGE_TOO_LARGE, options.limits().messageBytes(), "too large");
            }
            if (!text.startsWith("@")) {
                return new DecodeResult.Malformed<>(Code.SLIP_NO_START, 0, "no @ here");
            }
            if (options.strict() && !text.equals(text.toLowerCase(Locale.ROOT))) {
                return new DecodeResult.Malformed<>(Code.SLIP_UNKNOWN_PREFIX, 1, "a capital");
            }
            return new DecodeResult.Decoded<>(said(text.substring(1)), List.of(), List.of());
        }

        @Override
        public byte[] encode(Reference message) {
            if (message.getId().contains("!")) {
                throw new IllegalArgumentException("text has an exclamation mark");
            }
            return ("@" + message.getId()).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public Traits traits(Reference message) {
            return new Traits(null, null, null, List.of(), Performative.ASSERT, null, List.of());
        }
    }

    private static Serde<Reference> configured(Map<String, ?> configs) {
        Serde<Reference> serde = new WireSerde<>(new FakeCodec());
        serde.configure(configs, false);
        return serde;
    }

    private static Reference said(String text) {
        return new Reference("said", text);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void aMessageRoundTripsThroughASerdeOfACodec() {
        Serde<Reference> serde = configured(Map.of("bootstrap.servers", "somewhere"));

        assertThat(serde.serializer().serialize("t", said("hello"))).isEqualTo(bytes("@hello"));
        assertThat(serde.deserializer().deserialize("t", bytes("@hello"))).isEqualTo(said("hello"));
    }

    @Test
    void aSerdeOfACodecIgnoresTheProtocolOfTheConfiguration() {
        Serde<Reference> serde = configured(Map.of("parley.protocol", "csp"));

        assertThat(serde.deserializer().deserialize("t", bytes("@hello"))).isEqualTo(said("hello"));
    }

    @Test
    void aSerdeWithoutAProtocolSaysWhatToDo() {
        try (Serde<SlipMessage> serde = new WireSerde<>()) {
            assertThatThrownBy(() -> serde.deserializer().deserialize("t", bytes("@hello")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("parley.protocol");
            assertThatThrownBy(() -> serde.serializer().serialize("t", new SlipMessage()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("parley.protocol");
        }
    }

    @Test
    void nullStaysNull() {
        Serde<Reference> serde = configured(Map.of());

        assertThat(serde.serializer().serialize("t", null)).isNull();
        assertThat(serde.deserializer().deserialize("t", null)).isNull();
    }

    @Test
    void anUndecodableValueIsReportedWithCodeOffsetAndDetail() {
        Deserializer<Reference> deserializer = configured(Map.of()).deserializer();

        assertThatThrownBy(() -> deserializer.deserialize("t", bytes("hello")))
                .isInstanceOf(SerializationException.class)
                .isInstanceOfSatisfying(MalformedMessageException.class, fault -> {
                    assertThat(fault.code()).isEqualTo(Code.SLIP_NO_START);
                    assertThat(fault.offset()).isZero();
                    assertThat(fault.detail()).isEqualTo("no @ here");
                    assertThat(fault).hasMessage("SLIP_NO_START at byte 0 of a value of topic t: no @ here");
                });
    }

    @Test
    void aMessageThatTheProtocolCannotRepresentIsRefused() {
        assertThatThrownBy(() -> configured(Map.of()).serializer().serialize("t", said("hello!")))
                .isInstanceOf(SerializationException.class)
                .hasMessageContainingAll("SLIP", "exclamation mark");
    }

    @Test
    void anIncompleteRecordIsRefused() {
        assertThatThrownBy(() -> configured(Map.of()).serializer().serialize("t", said(null)))
                .isInstanceOf(SerializationException.class)
                .hasMessageContainingAll("SLIP", "id: ");
    }

    @ParameterizedTest
    @CsvSource({"strict, false", "STRICT, false", "lenient, true", "Lenient, true"})
    void theProfileDeterminesTheTreatmentOfForm(String profile, boolean accepted) {
        Deserializer<Reference> deserializer =
                configured(Map.of("parley.profile", profile)).deserializer();

        if (accepted) {
            assertThat(deserializer.deserialize("t", bytes("@Hello"))).isEqualTo(said("Hello"));
        } else {
            assertThatThrownBy(() -> deserializer.deserialize("t", bytes("@Hello")))
                    .isInstanceOf(MalformedMessageException.class);
        }
    }

    @Test
    void aLimitReachesTheCodec() {
        Deserializer<Reference> deserializer =
                configured(Map.of("parley.limits.message.bytes", "4")).deserializer();

        assertThat(deserializer.deserialize("t", bytes("@abc"))).isEqualTo(said("abc"));
        assertThatThrownBy(() -> deserializer.deserialize("t", bytes("@abcd")))
                .isInstanceOfSatisfying(
                        MalformedMessageException.class,
                        fault -> assertThat(fault.offset()).isEqualTo(4));
    }

    @Test
    void everyLimitIsRead() {
        DecodeOptions options = WireConfig.decodeOptions(Map.of(
                "parley.limits.message.bytes", 11,
                "parley.limits.depth", 12,
                "parley.limits.fields", 13,
                "parley.limits.operations", 14));

        assertThat(options.limits().messageBytes()).isEqualTo(11);
        assertThat(options.limits().depth()).isEqualTo(12);
        assertThat(options.limits().fields()).isEqualTo(13);
        assertThat(options.limits().operations()).isEqualTo(14);
        assertThat(WireConfig.decodeOptions(Map.of())).isEqualTo(DecodeOptions.LENIENT);
    }

    @ParameterizedTest
    @CsvSource({
        "parley.profile, harsh",
        "parley.limits.message.bytes, 0",
        "parley.limits.depth, -1",
        "parley.limits.fields, many",
        "parley.limits.operations, 0",
    })
    void anInvalidValueIsRefusedByName(String key, String value) {
        assertThatThrownBy(() -> configured(Map.of(key, value)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(key);
    }
}
