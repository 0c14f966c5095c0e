package dev.parley.codec.slip;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.SlipMessage;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult.Decoded;
import dev.parley.codec.Rounds;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainSlipReaderTest {
    private static final String HEADERS = "@a3|f0|c3|S0|d1|T1";

    @ParameterizedTest
    @ValueSource(
            strings = {
                HEADERS + "#",
                HEADERS + "|gH|kg|q2|t\"refactor_auth\"#",
                HEADERS + "|t\"a \\\"b\\\" \\\\\"#",
                HEADERS + "|u\"\\\"\"|t\"\\\\\"#",
                "@aA|f4|czzzzzzzzzz|SA|dz|T0|g1|k2|p3|r4|q1|sA|e6|u\"a|b# \"#"
            })
    void aPlainMessageIsReadInOnePass(String wire) {
        assertThat(PlainSlipReader.read(wire.getBytes(UTF_8)))
                .isEqualTo(SlipReader.readAny(wire.getBytes(UTF_8), DecodeOptions.STRICT));
    }

    @ParameterizedTest
    @ValueSource(strings = {"|q0", "|q4", "|sB", "|q4|sB"})
    void aNumberOutOfRangeIsReadInOnePassUnlessWarningsAreErrors(String slots) {
        byte[] wire = (HEADERS + slots + "#").getBytes(UTF_8);
        assertThat(PlainSlipReader.read(wire)).isEqualTo(SlipReader.readAny(wire, DecodeOptions.LENIENT));
        assertThat(SlipReader.read(wire, DecodeOptions.STRICT))
                .isEqualTo(SlipReader.readAny(wire, DecodeOptions.STRICT));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "#",
                "@",
                "@#",
                HEADERS,
                HEADERS + "# ",
                " " + HEADERS + "#",
                HEADERS + "|#",
                HEADERS + "|x1#",
                HEADERS + "|g01#",
                HEADERS + "|g#",
                HEADERS + "|g1|g1#",
                HEADERS + "|t\"a\\x\"#",
                HEADERS + "|t\"a\\\"#",
                HEADERS + "|t\"a\\#",
                HEADERS + "|t\"a\\\\\"b#",
                HEADERS + "|t\"\\\\é\"#",
                HEADERS + "|t\"é\"#",
                HEADERS + "|t\"#",
                HEADERS + "|t\"a#",
                HEADERS + "|t\"a\"b#",
                HEADERS + "|c10000000000#",
                HEADERS + "|k10000000000#",
                HEADERS + "|g1|k1|p1|r1|q1|s1|e1|u\"\"|t\"\"#",
                "@a3|f0|c3|S0|d1#",
                "@f0|a3|c3|S0|d1|T1#",
                "@aB|f0|c3|S0|d1|T1#",
                "@a3|f5|c3|S0|d1|T1#"
            })
    void otherMessagesAreLeftToTheFullReader(String wire) {
        assertThat(PlainSlipReader.read(wire.getBytes(UTF_8))).isNull();
    }

    @Test
    void stringsAreReadUpToTheLengthWithoutAWarning() {
        String longest = "x".repeat(SlipReader.MAX_STRING_BYTES);
        assertThat(PlainSlipReader.read((HEADERS + "|t\"" + longest + "\"#").getBytes(UTF_8)))
                .isNotNull();
        assertThat(PlainSlipReader.read((HEADERS + "|t\"" + longest + "x\"#").getBytes(UTF_8)))
                .isNull();
        String escaped = "\\\\".repeat(SlipReader.MAX_STRING_BYTES);
        assertThat(PlainSlipReader.read((HEADERS + "|t\"" + escaped + "\"#").getBytes(UTF_8)))
                .isNotNull();
        assertThat(PlainSlipReader.read((HEADERS + "|t\"" + escaped + "x\"#").getBytes(UTF_8)))
                .isNull();
    }

    @Test
    void bothReadersReadAPlainMessageAlike() {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        Random random = new Random(seed);
        String alphabet = "@#|\"\\ 01239Aaz!\u00e9gkpqrseutafcSdTx";
        int plain = 0;
        for (int round = 0; round < Rounds.of(200_000); round++) {
            StringBuilder wire = new StringBuilder(HEADERS + "|gH|kg|q2|u\"ok\"#");
            for (int changes = random.nextInt(3); changes >= 0; changes--) {
                wire.setCharAt(random.nextInt(wire.length()), alphabet.charAt(random.nextInt(alphabet.length())));
            }
            byte[] bytes = wire.toString().getBytes(UTF_8);
            Decoded<SlipMessage> decoded = PlainSlipReader.read(bytes);
            if (decoded != null) {
                plain++;
                assertThat(SlipReader.readAny(bytes, DecodeOptions.LENIENT))
                        .as("%s, replay with -Dparley.seed=%d", wire, seed)
                        .isEqualTo(decoded);
            }
        }
        assertThat(plain).isPositive();
    }
}
