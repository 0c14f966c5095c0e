package dev.parley.connect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.parley.avro.SlipMessage;
import dev.parley.codec.Code;
import dev.parley.decode.WireProtocols;
import dev.parley.serde.MalformedMessageException;
import dev.parley.serde.WireConfig;
import dev.parley.serde.WireDeserializer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.storage.Converter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class WireConverterTest {
    private static final String REQUEST = "@a3|f0|c1|S0|d1|T1|k1|t\"auth\"#";

    static Stream<Arguments> messages() {
        return Stream.of(
                arguments("Slip", REQUEST),
                arguments("Slip", "@a1|f2|c1|S0|d1|T2|r7|x\"new\"|u\"\"#"),
                arguments("Subit", "{\"type\":\"STATE\",\"payload\":\"101010\"}"),
                arguments(
                        "Subit",
                        "{\"type\":\"PLAN\",\"payload\":\"000000111111000001\",\"meta\":{\"agent\":1,\"load\":0.5},\"x\":\"y\"}"),
                arguments("Csp", "CSP/1\nFROM a\nTO b\nCTX C0\nINTENT QUERY\nVIA hub\n\nQUERY\nNOTE x"),
                arguments(
                        "Csp",
                        "CSP/1\nFROM a\nTO b\nCTX C0\nINTENT PATCH\n\nPATCH P1\nBASE C0\n+ DEF A = x\n- DEF B\nAPPLY "
                                + "-> C1"),
                arguments("Lambda", "@v0.6#id:m1 @A1,A2: pub: >> {ctx:x,def:a=\"b c\"}?Uc/la !er:un/co <ctx --"),
                arguments("Lambda", "{enc:aes}[x!]"));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void aMessageBecomesAStructWithItsValues(String protocol, String wire) throws Exception {
        Converter converter = byName(protocol, Map.of(), false);

        SchemaAndValue data = converter.toConnectData("t", wire.getBytes(UTF_8));

        ((Struct) data.value()).validate();
        assertThat(data.schema().name()).isEqualTo("dev.parley.avro." + protocol + "Message");
        SpecificRecord message = new WireDeserializer<>(
                        WireProtocols.STANDARD.named(protocol).codec())
                .deserialize("t", wire.getBytes(UTF_8));
        assertThat(plain(data.value())).isEqualTo(plain(message));
    }

    @Test
    void theFieldsOfAStructAreThoseOfTheRecord() throws Exception {
        Struct struct = (Struct) byName("Slip", Map.of(), false)
                .toConnectData("t", REQUEST.getBytes(UTF_8))
                .value();

        assertThat(struct.getString("act")).isEqualTo("REQUEST");
        assertThat(struct.getInt64("taskId")).isEqualTo(1);
        assertThat(struct.getInt64("goalId")).isNull();
        assertThat(struct.getArray("unknownFields")).isEmpty();
    }

    @Test
    void nullStaysNull() throws Exception {
        Converter converter = byName("Slip", Map.of(), false);

        assertThat(converter.toConnectData("t", null).value()).isNull();
        assertThat(converter.toConnectData("t", null).schema().isOptional()).isTrue();
    }

    @Test
    void theConverterOnlyReads() throws Exception {
        Converter converter = byName("Slip", Map.of(), false);

        assertThatThrownBy(() -> converter.fromConnectData("t", null, "text"))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("only reads");
    }

    @Test
    void bytesThatAreNotAMessageAreReportedWithCodeAndOffset() throws Exception {
        Converter converter = byName("Slip", Map.of(), false);

        assertThatThrownBy(() -> converter.toConnectData("t", "@a3".getBytes(UTF_8)))
                .isInstanceOf(DataException.class)
                .hasMessageContainingAll("SLIP_UNTERMINATED", "byte 3", "topic t")
                .hasCauseInstanceOf(MalformedMessageException.class);
    }

    @Test
    void profileAndLimitsComeFromTheConfiguration() throws Exception {
        Map<String, String> strict = Map.of("parley.profile", "strict", "schemas.enable", "false");
        for (boolean isKey : new boolean[] {true, false}) {
            Converter converter = byName("Slip", strict, isKey);
            assertThatThrownBy(() -> converter.toConnectData("t", "@a3|f0|c1|S0|d1|T1|x7#".getBytes(UTF_8)))
                    .hasMessageContaining(Code.SLIP_UNKNOWN_PREFIX.name());
        }
        assertThatThrownBy(() -> byName("Slip", Map.of("parley.limits.depth", "0"), false))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("parley.limits.depth");
        assertThat(byName("Slip", Map.of(), false).config().names()).contains(WireConfig.PROTOCOL, WireConfig.PROFILE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ping"})
    void aMissingOrUnknownProtocolIsRefusedWithTheNames(String protocol) {
        Converter converter = new WireConverter<SlipMessage>();
        Map<String, String> configs = protocol.isEmpty() ? Map.of() : Map.of("parley.protocol", protocol);

        assertThatThrownBy(() -> converter.configure(configs, false))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("parley.protocol", "mcp, slip, nslip, subit, csp, lambda, λ");
    }

    @Test
    void anExtensionHasASubclass() {
        Converter converter = new WireConverter<>(WireProtocols.SUBIT) {};
        converter.configure(Map.of(), false);

        assertThat(converter.toConnectData("t", null).schema().name()).isEqualTo("dev.parley.avro.SubitMessage");
    }

    @Test
    void connectFindsTheConvertersAsServices() {
        assertThat(ServiceLoader.load(Converter.class).stream()
                        .map(provider -> provider.type().getSimpleName()))
                .contains("WireConverter", "AvroConverter");
    }

    /** Structs and records as maps, and symbols as text, in which both are compared. */
    private static Object plain(Object value) {
        if (value instanceof Struct struct) {
            Map<String, Object> fields = new HashMap<>();
            struct.schema().fields().forEach(field -> fields.put(field.name(), plain(struct.get(field))));
            return fields;
        }
        if (value instanceof IndexedRecord message) {
            Map<String, Object> fields = new HashMap<>();
            message.getSchema().getFields().forEach(field -> fields.put(field.name(), plain(message.get(field.pos()))));
            return fields;
        }
        if (value instanceof List<?> list) {
            return list.stream().map(WireConverterTest::plain).toList();
        }
        return value instanceof Enum<?> symbol ? symbol.name() : value;
    }

    private static Converter byName(String protocol, Map<String, String> configs, boolean isKey)
            throws ClassNotFoundException {
        Converter converter = Utils.newInstance("dev.parley.connect.WireConverter", Converter.class);
        Map<String, String> all = new HashMap<>(configs);
        all.put("parley.protocol", protocol);
        converter.configure(all, isKey);
        return converter;
    }
}
