package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Protocol;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.RecordHeaders;
import dev.parley.codec.Rounds;
import dev.parley.codec.WireCodec;
import dev.parley.decode.WireProtocol;
import dev.parley.decode.WireProtocols;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests detection of the protocol by name and by the first bytes. */
class ProtocolDetectionTest {
    private static final int ROUNDS = Rounds.of(200_000);
    private static final int EXHAUSTIVE_LENGTH = 4;

    private static Protocol named(String name) {
        return symbol(WireProtocols.STANDARD.named(name));
    }

    private static Protocol detect(byte[] wire) {
        return symbol(ValueDiagnosis.detect(wire, WireProtocols.STANDARD));
    }

    private static Protocol symbol(WireProtocol<?> protocol) {
        return protocol == null ? Protocol.UNKNOWN : protocol.symbol();
    }

    @ParameterizedTest
    @CsvSource({
        "slip, SLIP",
        "SLIP, SLIP",
        "nslip, SLIP",
        "nSLIP, SLIP",
        "subit, SUBIT",
        "SuBiT, SUBIT",
        "csp, CSP",
        "Csp, CSP",
        "lambda, LAMBDA",
        "LAMBDA, LAMBDA",
        "λ, LAMBDA",
        "Λ, LAMBDA",
        "csp/1, UNKNOWN",
        "unknown, UNKNOWN",
        "' slip', UNKNOWN",
        "'', UNKNOWN"
    })
    void aNameIsCaseInsensitive(String name, Protocol protocol) {
        assertThat(named(name)).isEqualTo(protocol);
    }

    @Test
    void aNameDoesNotDependOnTheLocale() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("tr"));
            assertThat(named("SLIP")).isEqualTo(Protocol.SLIP);
            assertThat(named("SUBIT")).isEqualTo(Protocol.SUBIT);
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void twoBytesOfAByteOrderMarkAreIgnored() {
        assertThat(detect(new byte[] {(byte) 0xEF, (byte) 0xBB})).isEqualTo(Protocol.UNKNOWN);
        assertThat(detect(new byte[] {(byte) 0xEF, (byte) 0xBB, '!', 'x'})).isEqualTo(Protocol.UNKNOWN);
        assertThat(detect("\uFEFF".getBytes(UTF_8))).isEqualTo(Protocol.UNKNOWN);
    }

    record Example(Protocol protocol, String wire) {}

    @Test
    void anyBytesGiveAResult() {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        Random random = new Random(seed);
        byte[] alphabet = "@a3|#{}[]\"\\:,typepayload AB1_>*:?!.~<-CSP/SLIP v\u00ef\n\t".getBytes(UTF_8);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] wire = new byte[random.nextInt(40)];
            for (int i = 0; i < wire.length; i++) {
                wire[i] = random.nextBoolean() ? alphabet[random.nextInt(alphabet.length)] : (byte) random.nextInt(256);
            }
            byte[] before = wire.clone();
            String what = "parley.seed=" + seed + " bytes " + HexFormat.of().formatHex(wire);
            Protocol protocol = answer(wire, what);
            assertThat(protocol).as(what).isNotNull();
            assertThat(wire).as(what).isEqualTo(before);
            requireReason(protocol, wire, what);
            requireEvidence(wire, what);
        }
    }

    /** All short texts of Λ's punctuation and of letters: none is accepted without its structure and a warning. */
    @Test
    void aMessageThatLambdaDecodesWithoutAWarningIsDetected() {
        String alphabet = "!<>@#{}[]|:,.-/\\( ?+~*aB\"n1";
        for (int length = 1; length <= EXHAUSTIVE_LENGTH; length++) {
            byte[] wire = new byte[length];
            int[] digits = new int[length];
            int at = 0;
            while (at >= 0) {
                for (int i = 0; i < length; i++) {
                    wire[i] = (byte) alphabet.charAt(digits[i]);
                }
                requireEvidence(wire, new String(wire, UTF_8));
                at = length - 1;
                while (at >= 0 && ++digits[at] == alphabet.length()) {
                    digits[at--] = 0;
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"<+k=e", "{n<:trade}!Ia", "<><"})
    void aTextWithoutStructureHasAWarning(String text) {
        byte[] wire = text.getBytes(UTF_8);
        assertThat(detect(wire)).isNotEqualTo(Protocol.LAMBDA);
        assertThat(WireProtocols.LAMBDA.codec().decode(wire, DecodeOptions.LENIENT))
                .isInstanceOfSatisfying(
                        DecodeResult.Decoded.class,
                        decoded -> assertThat(decoded.warnings()).asList().contains(Code.LAMBDA_UNLIKELY));
    }

    /** A decoded message of Λ has the warning exactly if it is not detected. Decoding what is detected is the same. */
    private static void requireEvidence(byte[] wire, String what) {
        int from = WireProtocols.start(wire);
        WireCodec<?> codec = WireProtocols.LAMBDA.codec();
        if (from == wire.length) {
            return;
        }
        boolean detected = codec.detects(wire, from);
        DecodeResult<?> result = codec.decode(wire, DecodeOptions.LENIENT);
        if (result instanceof DecodeResult.Decoded<?> decoded) {
            assertThat(decoded.warnings().contains(Code.LAMBDA_UNLIKELY))
                    .as(what)
                    .isEqualTo(!detected);
        }
        if (detected) {
            assertThat(codec.decodeDetected(wire, RecordHeaders.NONE, DecodeOptions.LENIENT))
                    .as(what)
                    .isEqualTo(result);
        }
    }

    private static Protocol answer(byte[] wire, String what) {
        try {
            return detect(wire);
        } catch (RuntimeException e) {
            throw new AssertionError(what, e);
        }
    }

    /** Properties that each result implies, written independently of the detector. */
    private static void requireReason(Protocol protocol, byte[] wire, String what) {
        String text = new String(wire, UTF_8);
        String plain = (text.startsWith("\uFEFF") ? text.substring(1) : text).replaceFirst("^[ \t\r\n]+", "");
        boolean slip = plain.matches("(?s)(@a[0-9A-Za-z]*[|#]|@[fcSdT][0-9A-Za-z]+[|]|SLIP v).*");
        boolean csp = plain.startsWith("CSP/");
        boolean first = plain.matches("(?s)[?!.~><#@{\\-\\[|].*");
        boolean prefix = plain.matches("(?s)(pub|prv|sig):.*")
                || plain.matches("(?s)([A-Z]\\w*\\*?|\\*)(>([A-Z]\\w*\\*?|\\*))+:.*")
                || plain.matches("(?s)[A-Z]\\w*:[ \t\r\n].*");
        if (csp) {
            assertThat(protocol).as(what).isEqualTo(Protocol.CSP);
        } else if (slip) {
            assertThat(protocol).as(what).isEqualTo(Protocol.SLIP);
        } else if (symbol(WireProtocols.STANDARD.evident(wire)) == Protocol.LAMBDA) {
            assertThat(first || prefix).as(what).isTrue();
        }
    }
}
