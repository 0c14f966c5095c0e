package dev.parley.serde;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.parley.avro.CspMessage;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.SlipMessage;
import dev.parley.avro.SubitMessage;
import dev.parley.codec.lambda.LambdaCodec;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ProtocolSerdesTest {
    static Stream<Arguments> protocols() {
        return Stream.of(
                arguments("Slip", SlipMessage.class, "@a3|f0|c1|S0|d1|T1|g1|k1|q2|t\"refactor_auth\"#"),
                arguments("Subit", SubitMessage.class, "{\"type\":\"STATE\",\"payload\":\"101010\"}"),
                arguments("Csp", CspMessage.class, """
                        CSP/1
                        FROM MAIN
                        TO CODE_EXP
                        CTX C0
                        INTENT TASK

                        TASK T001
                        REQ find auth middleware
                        IN SRC,LIB
                        OUT FILE_REFS
                        OWNER CODE_EXP
                        PRIORITY P1"""),
                arguments("Lambda", LambdaMessage.class, "?Uc/la"));
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void aMessageRoundTripsThroughClassesFoundByName(String protocol, Class<?> record, String wire) throws Exception {
        Map<String, ?> configs = Map.of(WireConfig.PROTOCOL, protocol, WireConfig.PROFILE, "strict");
        Serializer<Object> serializer = byName("WireSerializer");
        Deserializer<Object> deserializer = byName("WireDeserializer");
        Serde<Object> serde = byName("WireSerde");
        serializer.configure(configs, false);
        deserializer.configure(configs, false);
        serde.configure(configs, false);

        Object message = deserializer.deserialize("t", wire.getBytes(UTF_8));
        byte[] written = serializer.serialize("t", message);

        assertThat(message).isInstanceOf(record);
        assertThat(serde.deserializer().deserialize("t", written)).isEqualTo(message);
        assertThat(serde.serializer().serialize("t", message)).isEqualTo(written);
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void anEmptyRecordIsRefusedWithItsMissingField(String protocol, Class<?> record, String wire) throws Exception {
        Serializer<Object> serializer = byName("WireSerializer");
        serializer.configure(Map.of(WireConfig.PROTOCOL, protocol), false);
        Object empty = record.getConstructor().newInstance();

        assertThatThrownBy(() -> serializer.serialize("t", empty))
                .isInstanceOf(SerializationException.class)
                .hasMessageContaining(": must be of type ")
                .hasCauseInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aTextThatWouldDecodeDifferentlyIsNotSent() {
        Serde<LambdaMessage> serde = new WireSerde<>(new LambdaCodec());
        LambdaMessage message = serde.deserializer().deserialize("t", "!a".getBytes(UTF_8));
        message.getStatements().get(0).getTokens().get(0).setText("a !b");

        assertThatThrownBy(() -> serde.serializer().serialize("t", message))
                .isInstanceOf(SerializationException.class)
                .hasMessageContaining("would decode as");
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void anInvalidMessageIsRefusedWithItsCode(String protocol, Class<?> record, String wire) throws Exception {
        Deserializer<Object> deserializer = byName("WireDeserializer");
        deserializer.configure(Map.of(WireConfig.PROTOCOL, protocol), false);

        assertThatThrownBy(() -> deserializer.deserialize("t", new byte[] {(byte) 0xFF}))
                .isInstanceOfSatisfying(
                        MalformedMessageException.class,
                        fault -> assertThat(fault.code().name()).startsWith(protocol.toUpperCase(Locale.ROOT) + "_"));
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T> T byName(String name) throws ClassNotFoundException {
        return (T) Utils.newInstance("dev.parley.serde." + name, Object.class);
    }
}
