package dev.parley.codec.slip;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.parley.avro.Performative;
import dev.parley.avro.Reference;
import dev.parley.avro.SlipAct;
import dev.parley.avro.SlipFrame;
import dev.parley.avro.SlipMessage;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.Traits;
import dev.parley.codec.WireCodec;
import dev.parley.codec.WireCodecContract;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SlipCodecTest extends WireCodecContract<SlipMessage> {
    private static final String HEADERS = "@a3|f0|c3|S0|d1|T1";

    @Override
    protected WireCodec<SlipMessage> codec() {
        return new SlipCodec();
    }

    @Override
    protected String wireWithFields(int fields) {
        return HEADERS + "|x1".repeat(fields) + "#";
    }

    @Test
    void theDetailNamesTheLegacyDialect() {
        assertThat(malformed("@a3|f0|c3|s0|d1|t1|g1#", DecodeOptions.LENIENT).detail())
                .contains("legacy_dialect=true");
        assertThat(malformed("@a3|f0|c3|S0|d1|t1#", DecodeOptions.LENIENT).code())
                .isEqualTo(Code.SLIP_SLOT_TYPE);
        assertThat(malformed("@a3|f0|c3|S0|d1|s1|t\"1\"#", DecodeOptions.LENIENT)
                        .detail())
                .isEqualTo("Missing header fields: T.");
    }

    @Test
    void aDecimalActIsHintedAt() {
        assertThat(malformed("@a10|f0|c3|S0|d1|T1#", DecodeOptions.LENIENT).detail())
                .contains("META")
                .contains("decimal");
        assertThat(malformed("@aB|f0|c3|S0|d1|T1#", DecodeOptions.LENIENT).detail())
                .doesNotContain("decimal");
        assertThat(malformed("@a11|f0|c3|S0|d1|T1#", DecodeOptions.LENIENT).detail())
                .doesNotContain("decimal");
    }

    @Test
    void traitsAreInDecimal() {
        Traits traits = traits("@a3|f0|c10|SA|dz|T1|r13|gH|pB|kg#");
        assertThat(traits)
                .isEqualTo(new Traits(
                        "62",
                        "10",
                        null,
                        List.of("61"),
                        Performative.REQUEST,
                        null,
                        List.of(
                                new Reference("goal", "17"),
                                new Reference("task", "42"),
                                new Reference("parent-task", "11"),
                                new Reference("result", "65"))));
    }

    static Stream<Arguments> unsayable() {
        return Stream.of(
                unsayable("act", message -> message.setAct(SlipAct.UNKNOWN)),
                unsayable("frame", message -> message.setFrame(SlipFrame.UNKNOWN)),
                unsayable("TURN", message -> message.setTurn(-1)),
                unsayable("GOAL_ID", message -> message.setGoalId(-1L)),
                unsayable("TAG", message -> message.setTag("\ud800")),
                unsayable("slotOrder", message -> message.setSlotOrder("g")),
                unsayable("slotOrder", message -> message.setSlotOrder("gtk")),
                unsayable("slotOrder", message -> message.setSlotOrder("gtg")),
                unsayable("slotOrder", message -> message.setSlotOrder("gta")),
                unsayable("slotOrder", message -> message.setSlotOrder("gt?")),
                unsayable("slotOrder", message -> message.setUnknownFields(List.of("x1"))),
                unsayableField(""),
                unsayableField("k1"),
                unsayableField("x1|"),
                unsayableField("x1|y1"),
                unsayableField("x#"),
                unsayableField("x 1"),
                unsayableField("x\"a"),
                unsayableField("x\udc00"));
    }

    private static Arguments unsayableField(String field) {
        return unsayable("unknownFields", message -> {
            message.setSlotOrder("gt?");
            message.setUnknownFields(List.of(field));
        });
    }

    private static Arguments unsayable(String field, Consumer<SlipMessage> change) {
        return arguments(field, change);
    }

    @ParameterizedTest
    @MethodSource("unsayable")
    void anUnrepresentableValueIsRefusedByName(String field, Consumer<SlipMessage> change) {
        SlipMessage message = decoded(HEADERS + "|g1|t\"a\"#").message();
        change.accept(message);
        assertThatThrownBy(() -> codec().encode(message))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(field);
    }

    @Test
    void theFirstRepeatedFieldIsReported() {
        var fault = malformed(HEADERS + "|k1|g1|k1|g1#", DecodeOptions.LENIENT);
        assertThat(fault.code()).isEqualTo(Code.SLIP_DUPLICATE_FIELD);
        assertThat(fault.offset()).isEqualTo((HEADERS + "|k1|g1|").length());
    }

    @Test
    void anyShortStringOfBackslashesAndQuotesRoundTrips() {
        IntStream.range(0, 59_049).mapToObj(SlipCodecTest::smallString).forEach(text -> {
            SlipMessage message = decoded(HEADERS + "|t\"\"#").message();
            message.setTag(text);
            assertThat(decoded(new String(codec().encode(message), UTF_8))
                            .message()
                            .getTag())
                    .isEqualTo(text);
        });
    }

    private static String smallString(int number) {
        StringBuilder text = new StringBuilder();
        for (int rest = number; rest > 0; rest /= 3) {
            text.append("\\\"a".charAt(rest % 3));
        }
        return text.toString();
    }

    private Traits traits(String wire) {
        return codec().traits(decoded(wire).message());
    }
}
