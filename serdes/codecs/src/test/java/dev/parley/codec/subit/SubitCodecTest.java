package dev.parley.codec.subit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.parley.avro.Performative;
import dev.parley.avro.Profile;
import dev.parley.avro.SubitEntry;
import dev.parley.avro.SubitMessage;
import dev.parley.avro.SubitType;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult.Decoded;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Limits;
import dev.parley.codec.MarkedWire;
import dev.parley.codec.Traits;
import dev.parley.codec.WireCodec;
import dev.parley.codec.WireCodecContract;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SubitCodecTest extends WireCodecContract<SubitMessage> {
    private static final String STATE = "{\"type\":\"STATE\",\"payload\":\"000110\"";

    @Override
    protected WireCodec<SubitMessage> codec() {
        return new SubitCodec();
    }

    @Override
    protected String wireWithFields(int fields) {
        StringBuilder wire = new StringBuilder(STATE);
        for (int i = 2; i < fields; i++) {
            wire.append(",\"k").append(i).append("\":\"\"");
        }
        return wire.append('}').toString();
    }

    @Override
    protected Optional<String> wireNested(int depth) {
        return Optional.of(STATE + ",\"x\":" + "[".repeat(depth - 1) + "]".repeat(depth - 1) + "}");
    }

    @Test
    void theExampleOfTheSpecificationIsRead() {
        SubitMessage message = decoded("""
                        {
                          "type": "INTENT",
                          "payload": "000110110001",
                          "meta": {
                              "agent": "A",
                              "timestamp": "2026-01-01T12:00:00Z",
                              "session": "s1"
                          }
                        }
                        """).message();
        assertThat(message)
                .isEqualTo(new SubitMessage(
                        SubitType.INTENT,
                        List.of(6, 49),
                        true,
                        "A",
                        "2026-01-01T12:00:00Z",
                        "s1",
                        List.of(),
                        List.of(),
                        List.of()));
    }

    @Test
    void otherValuesAreKeptAsJson() {
        Decoded<SubitMessage> read = decoded(STATE
                + ",\"meta\":{\"session\":5,\"x\":{ \"a\" : [1, 2] "
                + "},\"agent\":null,\"y\":\"s\"},\"z\":1e5,\"w\":\"t\"}");
        assertThat(read.message().getJsonMeta()).containsExactly("agent", "session");
        assertThat(read.message().getAgent()).isEqualTo("null");
        assertThat(read.message().getSession()).isEqualTo("5");
        assertThat(read.message().getMeta())
                .containsExactly(new SubitEntry("x", "{\"a\":[1,2]}", true), new SubitEntry("y", "s", false));
        assertThat(read.message().getExtras())
                .containsExactly(new SubitEntry("z", "1e5", true), new SubitEntry("w", "t", false));
        assertThat(read.warnings()).containsExactly(Code.SUBIT_META_VALUE, Code.SUBIT_EXTRA_KEY);
    }

    @Test
    void aTimestampThatIsNoStringHasAWarning() {
        for (String value : List.of("5", "null", "{}")) {
            Decoded<SubitMessage> read = decoded(STATE + ",\"meta\":{\"timestamp\":" + value + "}}");
            assertThat(read.message().getTimestamp()).isEqualTo(value);
            assertThat(read.message().getJsonMeta()).containsExactly("timestamp");
            assertThat(read.warnings()).containsExactly(Code.SUBIT_META_VALUE, Code.SUBIT_BAD_TIMESTAMP);
        }
    }

    @Test
    void theStrictProfileRefusesAByteOrderMarkBeforeAnyOtherError() {
        for (String wire : List.of(STATE + "}", STATE, "{}")) {
            Malformed<SubitMessage> error = malformed("\uFEFF" + wire, DecodeOptions.STRICT);
            assertThat(error.code()).isEqualTo(Code.BYTE_ORDER_MARK);
            assertThat(error.offset()).isZero();
        }
    }

    @Test
    void aValueOfTheWrongTypeIsReportedUnlessALexicalErrorFollows() {
        for (String member :
                List.of("\"type\":5", "\"payload\":000110", "\"payload\":[]", "\"meta\":5", "\"meta\":\"n\"")) {
            int at = member.indexOf(':') + 2;
            assertThat(malformed("{" + member + "}", DecodeOptions.LENIENT).offset())
                    .isEqualTo(at);
            Malformed<SubitMessage> lexical = malformed("{" + member + ",\"x\":*}", DecodeOptions.LENIENT);
            assertThat(lexical.code()).isEqualTo(Code.SUBIT_NOT_JSON);
            assertThat(lexical.offset()).isEqualTo(member.length() + 6);
        }
        assertThat(malformed(STATE + ",\"meta\":nul}", DecodeOptions.LENIENT).code())
                .isEqualTo(Code.SUBIT_NOT_JSON);
    }

    @Test
    void formsAreReadMostSignificantBitFirst() {
        assertThat(decoded(packet("PLAN", "000000000001100000111111")).message().getForms())
                .containsExactly(0, 1, 32, 63);
    }

    /** That many keys k0, k1 and so on, each with a number. */
    private static String keys(int count) {
        return IntStream.range(0, count).mapToObj(i -> "\"k" + i + "\":" + i).collect(Collectors.joining(","));
    }

    @Test
    void theSameKeyMayOccurInSeveralObjects() {
        String nested =
                "{\"a\":{\"a\":[{\"a\":1},{\"a\":2}]},\"agent\":{" + keys(40) + "},\"type\":{" + keys(40) + "}}";
        assertThat(decoded(STATE + ",\"meta\":{\"a\":" + nested + "},\"a\":" + nested + "}")
                        .message()
                        .getExtras())
                .containsExactly(new SubitEntry("a", nested, true));
    }

    @Test
    void aStringMayEndAtAnyOfEightBytes() {
        for (int length = 0; length < 20; length++) {
            for (String end : List.of("", "é", "\\n", "\\\"", "?", "\\ud83d\\ude00")) {
                String text = "x".repeat(length);
                String wire = STATE + ",\"meta\":{\"session\":\"" + text + end + "\"}}";
                assertThat(decoded(wire).message().getSession())
                        .startsWith(text)
                        .hasSizeGreaterThanOrEqualTo(length);
                requireSound(wire.getBytes(UTF_8));
                MarkedWire control = MarkedWire.of(STATE + ",\"meta\":{\"session\":\"" + text + "^\u0001\"}}");
                assertThat(malformed(control.text(), DecodeOptions.LENIENT).offset())
                        .isEqualTo(control.offset());
            }
        }
    }

    @Test
    void anEmptyMetaDiffersFromNone() {
        assertThat(decoded(STATE + ",\"meta\":{}}").message().getMetaPresent()).isTrue();
        assertThat(decoded(STATE + ",\"meta\":null}").message())
                .isEqualTo(decoded(STATE + "}").message());
    }

    @Test
    void aDepthLimitBeyondTheStackIsCapped() {
        DecodeOptions bottomless =
                new DecodeOptions(Profile.LENIENT, new Limits(1 << 20, Integer.MAX_VALUE, 1_000, 1_000));
        assertThat(malformed(wireNested(500_000).orElseThrow(), bottomless).code())
                .isEqualTo(Code.TOO_DEEP);
    }

    @Test
    void sessionAndAgentNameConversationAndSender() {
        assertThat(traits(STATE + ",\"meta\":{\"agent\":\"A\",\"session\":\"s\"}}"))
                .isEqualTo(new Traits("s", "A", null, List.of(), Performative.ASSERT, null, List.of()));
        assertThat(traits(STATE + ",\"meta\":{\"agent\":7,\"session\":5}}"))
                .isEqualTo(new Traits("5", "7", null, List.of(), Performative.ASSERT, null, List.of()));
        assertThat(traits(STATE + ",\"meta\":{\"agent\":\"null\",\"session\":\"null\"}}")
                        .sender())
                .isEqualTo("null");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "}",
                ",\"meta\":{}}",
                ",\"meta\":{\"agent\":null,\"session\":null}}",
                ",\"meta\":{\"agent\":\"\",\"session\":\"\"}}"
            })
    void withoutANameThereIsNoConversationAndNoSender(String rest) {
        assertThat(traits(STATE + rest))
                .isEqualTo(new Traits(null, null, null, List.of(), Performative.ASSERT, null, List.of()));
    }

    static Stream<Arguments> unsayable() {
        return Stream.of(
                unsayable("type", message -> message.setType(SubitType.UNKNOWN)),
                unsayable("forms", message -> message.setForms(List.of())),
                unsayable("forms", message -> message.setForms(List.of(1, 2))),
                unsayable("forms", message -> message.setForms(List.of(64))),
                unsayable("forms", message -> message.setForms(List.of(-1))),
                unsayable("metaPresent", message -> message.setMetaPresent(false)),
                unsayable("jsonMeta", message -> message.setJsonMeta(List.of("session"))),
                unsayable("agent", message -> message.setJsonMeta(List.of("agent"))),
                unsayable("jsonMeta", message -> {
                    message.setAgent("1");
                    message.setSession("2");
                    message.setJsonMeta(List.of("session", "agent"));
                }),
                unsayable("jsonMeta", message -> {
                    message.setAgent("1");
                    message.setSession("2");
                    message.setJsonMeta(List.of("agent", "agent"));
                }),
                unsayable("agent", message -> message.setAgent("\udc00")),
                unsayable("agent", message -> message.setAgent("Who? \ud83d.")),
                unsayable("meta", message -> message.setMeta(List.of(new SubitEntry("agent", "", false)))),
                unsayable("represent type", message -> message.setType(null)),
                unsayable("represent type", message -> message.setType(SubitType.UNKNOWN)),
                unsayable(
                        "unpaired surrogate at character 2",
                        message -> message.setMeta(List.of(new SubitEntry("x", "[\"\ud83d\"]", true)))),
                unsayable(
                        "A key is repeated",
                        message -> message.setMeta(List.of(new SubitEntry("x", "{\"a\":1,\"a\":1}", true)))),
                unsayable(
                        "invalid JSON at character 3",
                        message -> message.setMeta(List.of(new SubitEntry("x", "[1]]", true)))),
                unsayable(
                        "invalid JSON at character 5",
                        message -> message.setMeta(List.of(new SubitEntry("x", "[\"é\"]]", true)))),
                unsayable("meta", message -> message.setMeta(List.of(new SubitEntry("x", "[1, 2]", true)))),
                unsayable("meta", message -> message.setMeta(List.of(new SubitEntry("x", "\"s\"", true)))),
                unsayable("meta", message -> message.setMeta(List.of(new SubitEntry("x", "1 ", true)))),
                unsayable("meta", message -> message.setMeta(List.of(new SubitEntry("x", " 1", true)))),
                unsayable("meta", message -> message.setMeta(List.of(new SubitEntry("x", "[\"\\/\"]", true)))),
                unsayable("meta", message -> message.setMeta(List.of(new SubitEntry("x", "{\"a\":1,\"a\":1}", true)))),
                unsayable("extras", message -> message.setExtras(List.of(new SubitEntry("type", "", false)))),
                unsayable("extras", message -> message.setExtras(List.of(new SubitEntry("x", "1,\"y\":2", true)))));
    }

    private static Arguments unsayable(String field, Consumer<SubitMessage> change) {
        return arguments(field, change);
    }

    @ParameterizedTest
    @MethodSource("unsayable")
    void anUnrepresentableValueIsRefusedByName(String field, Consumer<SubitMessage> change) {
        SubitMessage message = decoded(STATE + ",\"meta\":{\"agent\":\"A\"}}").message();
        change.accept(message);
        assertThatThrownBy(() -> codec().encode(message))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(field);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "}; ``",
                ",\"sessions\":1,\"meta\":{\"session\":\"s\"}}; ``",
                ",\"session\":\"s\"}; session.",
                ",\"timestamp\":1,\"x\":2,\"agent\":3}; timestamp, agent."
            })
    void keysOfMetaOutsideOfItAreNamed(String rest, String keys) {
        assertThat(SubitCodec.misplacedKeys(decoded(STATE + rest).message()))
                .isEqualTo(keys.isEmpty() ? "" : "Outside of meta, these keys have no meaning: " + keys);
    }

    private static String packet(String type, String payload) {
        return "{\"type\":\"" + type + "\",\"payload\":\"" + payload + "\"}";
    }

    private Traits traits(String wire) {
        return codec().traits(decoded(wire).message());
    }
}
