package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.codec.slip.SlipCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which bytes are a message, are nearly one, or are neither, and where a message inside other text ends. */
class SlipDetectionTest {
    private static final SlipCodec CODEC = new SlipCodec();

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@a3|", "@aA#", "@a#", "@a|f0", "@azZ09|", "@f0|", "@c1|", "@S0|", "@dz|", "@T10|", "SLIP v1", "SLIP v"
            })
    void aHeaderFieldAndItsEndAreAMessage(String text) {
        assertThat(CODEC.detects(bytes(text), 0)).isTrue();
        assertThat(CODEC.detects(bytes("x " + text), 2)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@", "@a", "@a3", "@a3 |", "@f|", "@f0", "@f0#", "@g1|", "@s0|", "@A3|", "@|", "a3|", "SLIP", "slip v1",
                "@a-|"
            })
    void anythingElseIsNoMessage(String text) {
        assertThat(CODEC.detects(bytes(text), 0)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@a3 | f0",
                "@a3 |f0|",
                "@ a3|f0",
                "@a3|F0",
                "@A3|F0|",
                "@a=3|f=0",
                "@a:3|f:0",
                "@a : 3 | f : 0",
                "@a3,f0",
                "@a3, f0",
                "@a3;f0",
                "@a3/f0",
                "@a3&f0",
                "@a3 f0",
                "@a3\nf0",
                "@a10|f4",
                "@aA | f4",
                "@aA f4",
                "a3|f0",
                "a3, f0",
                "aA|f4|c1",
                "A3|F0",
                "@3|0|1|0|1|5#",
                "@REQUEST|TASK|c1|S0|d1|T1#",
                "@3|0|1|0|1|5|x# more",
                "@act:3",
                "@ACT=3|",
                "{\"act\":\"REQUEST\",\"frame\":\"TASK\"}",
                "{\"conv_id\":1,\"act\":3}",
                "{'frame': 'TASK', 'act': 'REQUEST'}"
            })
    void anotherNotationOfAMessageResemblesOne(String text) {
        assertThat(SlipAttempt.resembles(bytes(text), 0)).isTrue();
        assertThat(SlipAttempt.resembles(bytes("x " + text), 2)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@",
                "a",
                "@a",
                "@a3",
                "@a3|",
                "@a3 ",
                "@a3|f",
                "@a3|g0",
                "@b3|f0",
                "@a|f0",
                "@aB|f0",
                "@a3f0",
                "@aAf0",
                "@a-3|f0",
                "@a3.f0",
                "a3 f0",
                "a3f0",
                "a3",
                "3|0|1|0|1|5#",
                "@3|0|1|0|1#",
                "@3|0|1|0|1|5",
                "@3|0|1|0 |1|5#",
                "@|||||",
                "@act",
                "@act3",
                "@act 3",
                "@actor: x",
                "@arc:3",
                "act:3",
                "{}",
                "{\"act\":3}",
                "{\"frame\":0}",
                "{\"conv_id\":1}",
                "{\"act':3,\"frame\":0}",
                "{'act\":3,'frame':0}",
                "{act:3,frame:0}",
                "{\"acts\":3,\"frames\":0}"
            })
    void textWithoutActAndFrameResemblesNone(String text) {
        assertThat(SlipAttempt.resembles(bytes(text), 0)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "@a3|f0#; 7",
                "@a3#; 4",
                "@a3|f0# and @a3|f0#; 7",
                "@a3|f0|t\"x # @ y\"|k1#; 21",
                "@a3|f0|t\"\\\"#\"#; 14",
                "@a3|f0|t\"\\\\\"#; 13",
                "@a3|f0|té#; 11",
                "@a3||#; 6",
                "`@a3|\"x#`; 7"
            })
    void aMessageInsideOtherTextEndsAfterItsMark(String text, int end) {
        assertThat(SlipAttempt.embeddedEnd(bytes(text), 0)).isEqualTo(end);
        assertThat(SlipAttempt.embeddedEnd(bytes("so: " + text), 4)).isEqualTo(end + 4);
    }

    /** The index of the byte that shows that no message starts here, so that a search does not read it again. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "@f0|c1#; 0",
                "a3|f0#; 0",
                "SLIP v1#; 0",
                "@all here#; 0",
                "@a3 | f0#; 0",
                "@a3|f0 #; 6",
                "@a3|f0\\n#; 6",
                "@a3|f0@a3|f0#; 6",
                "@a3|f0; 6",
                "@a3|; 4",
                "@a3|t; 5",
                "@a3|t\"x#; 8",
                "@a3|t\"x\\; 8",
                "@a3|t\"x\"; 8"
            })
    void aMessageWithoutAnEndEndsNowhere(String line, int read) {
        String text = line.replace("\\n", "\n");
        assertThat(SlipAttempt.embeddedEnd(bytes(text), 0)).isEqualTo(-1 - read);
        assertThat(SlipAttempt.embeddedEnd(bytes("so: " + text), 4)).isEqualTo(-5 - read);
    }

    @Test
    void everyPrefixOfAMessageIsReadWithinItsBounds() {
        for (String text :
                new String[] {"@a3|f0|t\"a\\\"b\"|k1#", "@a = 3 | f = 0", "@act:3|", "{'act':1,'frame':2}"}) {
            for (int length = 1; length <= text.length(); length++) {
                byte[] wire = bytes(text.substring(0, length));
                assertThat(SlipAttempt.embeddedEnd(wire, 0)).isBetween(-1 - length, length);
                assertThat(CODEC.detects(wire, 0)).isEqualTo(text.startsWith("@a3|") && length > 3);
                assertThat(SlipClaims.of(wire).sender()).isNull();
            }
        }
    }
}
