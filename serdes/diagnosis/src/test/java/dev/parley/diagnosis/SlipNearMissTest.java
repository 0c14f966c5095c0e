package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult.Decoded;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Limits;
import dev.parley.codec.slip.SlipCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The cause of a decode error, and the byte that is wrong. */
class SlipNearMissTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            quoteCharacter = '`',
            value = {
                // Names of acts.
                "@OBSERVE|f0|c1|S0|d1|T1# ! SLIP_UNKNOWN_ACT ! 1 ! write a0 for OBSERVE",
                "@ERROR|f0|c1|S0|d1|T1# ! SLIP_UNKNOWN_ACT ! 1 ! write a9 for ERROR",
                "@aask|f0|c1|S0|d1|T1# ! SLIP_UNKNOWN_ACT ! 1 ! write a2 for ASK",
                "@REQUEST ! SLIP_UNKNOWN_ACT ! 1 ! write a3 for REQUEST",
                " @REQUEST# ! SLIP_UNKNOWN_ACT ! 1 ! write a3 for REQUEST",
                "@xASK|f0|c1|S0|d1|T1# ! SLIP_MISSING_HEADER ! 21 ! header fields: a.",
                "@UNKNOWN|f0|c1|S0|d1|T1# ! SLIP_MISSING_HEADER ! 24 ! header fields: a.",
                "@a3|REQUEST|c1|S0|d1|T1# ! SLIP_MISSING_HEADER ! 24 ! header fields: f.",
                // Characters before the prefix of a field.
                "@a3|\u00A0f0|c1|S0|d1|T1# ! SLIP_MISSING_HEADER ! 4 ! Other characters precede the prefix",
                "@a3|f0|c1|*S0*|d1|T1# ! SLIP_MISSING_HEADER ! 10 ! Other characters precede the prefix",
                "@(a)3|f0|c1|S0|d1|T1# ! SLIP_MISSING_HEADER ! 1 ! Other characters precede the prefix",
                "@a3|*k1|c1|S0|d1|T1# ! SLIP_MISSING_HEADER ! 20 ! header fields: f.",
                // A symbol after the prefix or name of a field.
                "@a=3|f=0 ! SLIP_BAD_INT ! 2 ! '=' follows the prefix",
                "@A=3|F=0|C=1|S=0|D=1|T=1# ! SLIP_BAD_INT ! 2 ! '=' follows the prefix",
                "@a3|f0|c:1 |S0|d1|T1# ! SLIP_BAD_INT ! 8 ! ':' follows the prefix",
                "@a3|x:1|f0|c1|S0|d-|T1# ! SLIP_BAD_INT ! 17 ! digits of a number",
                "@a3|f0|c1|S0|d1|T1|x:1|T2# ! SLIP_DUPLICATE_FIELD ! 23 ! repeated",
                "@act: 3 | frame: 0 | conv: 1# ! SLIP_BAD_INT ! 4 ! one letter",
                "@xyz=3|f0|c1|S0|d1|T1# ! SLIP_BAD_INT ! 4 ! one letter",
                "@x=3|f0|c1|S0|d1|T1# ! SLIP_MISSING_HEADER ! 20 ! header fields: a.",
                "@xyz3|f0|c1|S0|d1|T1# ! SLIP_MISSING_HEADER ! 21 ! header fields: a.",
                "@a3|xyz=3|f0|c1|S0|d1# ! SLIP_MISSING_HEADER ! 22 ! header fields: T.",
                "@a3|xyz=3|f0|c1|S0|d-|T1# ! SLIP_BAD_INT ! 19 ! digits of a number",
                "@a ! SLIP_UNTERMINATED ! 2 ! end with '#'",
                "@act ! SLIP_UNTERMINATED ! 4 ! end with '#'",
                // A symbol between fields.
                "@a3&f0&c1# ! SLIP_BAD_INT ! 3 ! '&' follows the value",
                "@a3; f0; c1# ! SLIP_BAD_INT ! 3 ! ';' follows the value",
                "@a3|f0,c1,S0 ! SLIP_BAD_INT ! 6 ! ',' follows the value",
                "@a3|f0|c1,z0|S0|d1|T1# ! SLIP_BAD_INT ! 7 ! digits of a number",
                "@a3|f0|c1,|S0|d1|T1# ! SLIP_BAD_INT ! 7 ! digits of a number",
                "@a3|f0|c,S0|d1|T1# ! SLIP_BAD_INT ! 7 ! digits of a number",
                "@a3|f0|c1.S0|d1|T1# ! SLIP_BAD_INT ! 7 ! digits of a number",
                "@a3|f0|c1, ! SLIP_UNTERMINATED ! 10 ! end with '#'",
                // Quotes.
                "@a3|f0|c1|S0|d1|T1|u'x'# ! SLIP_SLOT_TYPE ! 20 ! straight double quotes",
                "@a3|f0|c1|S0|d1|T1|t'x y'# ! SLIP_SLOT_TYPE ! 20 ! straight double quotes",
                "@a3|f0|c1|S0|d1|T1|t“x y”# ! SLIP_SLOT_TYPE ! 20 ! straight double quotes",
                "@a3|f0|c1|S0|d1|T1|tx# ! SLIP_SLOT_TYPE ! 19 ! requires a string in quotes",
                "@a3|f0|c1|S0|d1|T1|e'x'# ! SLIP_BAD_INT ! 19 ! digits of a number",
                "@a3|f0|c1|S0|d1|T1|e\"x\"|t'x'# ! SLIP_SLOT_TYPE ! 19 ! requires a base62 number",
                "@a3|f0|c1|S0|d1|T1|t# ! SLIP_EMPTY_VALUE ! 19 ! must have a value",
                // Digits.
                "@a3|f0|c1|S0|d1|T1.0# ! SLIP_BAD_INT ! 16 ! 0-9, A-Z and a-z, but byte 18 is '.'.",
                "@a3|f0|c1|S0|d1|T1|s0.8# ! SLIP_BAD_INT ! 19 ! but byte 21 is '.'.",
                "@a3|f0|c1|S0|d1|T1|s85%# ! SLIP_BAD_INT ! 19 ! but byte 22 is '%'.",
                "@a3|f0|c1|S-1|d1|T1# ! SLIP_BAD_INT ! 10 ! but byte 11 is '-'.",
                "@a3|f0|c1|S0|d*|T1# ! SLIP_BAD_INT ! 13 ! but byte 14 is '*'.",
                "@a3|f0|c1|S0|d7,8|T1# ! SLIP_BAD_INT ! 13 ! but byte 15 is ','.",
                "@a3|f0|c1|S0|d1|T2026-11-27# ! SLIP_BAD_INT ! 16 ! but byte 21 is '-'.",
                "@a3|f0|c1|S0|d1|T1|k5 # ! SLIP_BAD_INT ! 19 ! but byte 21 is U+00A0.",
                // A second start mark.
                "@@a3|f0|c9|S4|d7|T1# ! SLIP_MISSING_HEADER ! 1 ! Other characters precede the prefix",
                "@@a3|f0|c9|S4|d7|T-# ! SLIP_BAD_INT ! 17 ! but byte 18 is '-'.",
                // Escapes of Markdown, a shell or JSON.
                "@a3\\|f0\\|c9\\|S4\\|d7\\|T1# ! SLIP_BAD_INT ! 3 ! Remove the backslash before '|'.",
                "@a3|f0|c9|S4|d7|T1\\# ! SLIP_BAD_INT ! 18 ! Remove the backslash before '#'.",
                "@a3|f0|c9|S4|d7|T1\\n# ! SLIP_BAD_INT ! 16 ! but byte 18 is '\\'.",
                "@a3|f0|c9|S4|d7|T1|t\\\"deploy\\\"# ! SLIP_SLOT_TYPE ! 20 ! Remove the backslash before '\"'.",
                "@a3|f0|c9|S4|d7|T1|t\\\"a b\\\"# ! SLIP_SLOT_TYPE ! 20 ! Remove the backslash before",
                "@a3|f0|c9|S4|d7|T1|t\\\"a|b c\\\"# ! SLIP_SLOT_TYPE ! 20 ! Remove the backslash before",
                "@a3|f0|c9|S4|d7|T1|t\\\\\\\"a\\\\\\\"# ! SLIP_SLOT_TYPE ! 20 ! Remove the backslash before",
                "@a3|f0|c9|S-|d7|T1|t\\\"a\\\"# ! SLIP_BAD_INT ! 10 ! but byte 11 is '-'.",
                // Prefixes in upper case. A string is skipped with what it contains.
                "@a3|f0|t\"x|C2#\\\"\"|C1|S0|d1|T1# ! SLIP_MISSING_HEADER ! 18 ! 'C' must be in lower case",
                "@a3||é\"C\"|f0|C1|S0|d1|T1# ! SLIP_MISSING_HEADER ! 14 ! 'C' must be in lower case",
                "@a3|f0|c1|S0|D1|T1|A3# ! SLIP_MISSING_HEADER ! 13 ! 'D' must be in lower case",
                "@a3|f0|c1|d1|T1|s0# ! SLIP_MISSING_HEADER ! 19 ! header fields: S.",
                // Fields without prefixes.
                "@a3|0|1|0|1|5# ! SLIP_MISSING_HEADER ! 4 ! start with its prefix",
                "@a3|f0|c1|S0|d1|t\"|9\"|k1|7# ! SLIP_MISSING_HEADER ! 25 ! start with its prefix",
                // Causes are not looked for inside strings and after the message.
                "@a3|f0|c1|S0|d-|T1|t\"|f=0\"# ! SLIP_BAD_INT ! 13 ! digits of a number",
                "@a3|f0|c1|S0|d-|T1# ! SLIP_BAD_INT ! 13 ! digits of a number",
                "@a3|f0# @a3|f=0 ! SLIP_TRAILING_DATA ! 8 ! one message",
                // Before the message.
                "a3, f0, c1 ! SLIP_NO_START ! 0 ! '@' before the act is missing",
                "please ! SLIP_NO_START ! 0 ! must start with '@'",
                "{} ! SLIP_NO_START ! 0 ! This is an object",
                "`` ! SLIP_NO_START ! 0 ! must start with '@'",
                "SLIP v1 ! SLIP_VERSION ! 0 ! text protocol"
            })
    void theCauseIsNamedAtItsByte(String wire, Code code, int offset, String detail) {
        Malformed<?> error = decode(wire.getBytes(UTF_8));
        assertThat(error.code()).isEqualTo(code);
        assertThat(error.detail()).contains(detail);
        assertThat(error.offset()).isEqualTo(offset);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@a3|f0|c550e8400-e29b-41d4-a716-446655440000|S0|d1|T1#",
                "@a3|f0|c550e8400e29b41d4a716446655440000|S0|d1|T1#",
                "@a3|f0|c1|Sagent_1|d1|T1#",
                "@a3|f0|c1|S0|d1|T1|kзадача#",
                "@a3|f0|c1|S0|d1|T1|pT-001#",
            })
    void aUuidOrNameShouldBeANumber(String wire) {
        assertThat(decode(wire.getBytes(UTF_8)).detail()).endsWith("and write the name into t\"...\".");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@a3|f0|c1|S0|d7,A|T1#",
                "@a3|f0|c1|S0|d1|T2026-11-27T10#",
                "@a3|f0|c1|S0|d1|T1|s0-A#",
                "@a3|f0|c1|S0|d1|T17642304000000000000000#",
                "@a3|f0|c17642304000000000000000|S0|d1|T1#",
                "@a3|f0|c1|S0|d1|T1|kA #",
            })
    void anotherValueIsNoName(String wire) {
        assertThat(decode(wire.getBytes(UTF_8)).detail()).doesNotContain("UUID");
    }

    @Test
    void aByteThatIsNotUtf8TakesPrecedence() {
        byte[] wire = "@REQUEST|f?|c1|S0|d1|T1#".getBytes(UTF_8);
        wire[10] = (byte) 0xFF;
        Malformed<?> error = decode(wire);
        assertThat(error.code()).isEqualTo(Code.SLIP_BAD_UTF8);
        assertThat(error.offset()).isEqualTo(10);
    }

    @Test
    void aLimitIsItsOwnCause() {
        DecodeOptions twoSlots = new DecodeOptions(Profile.LENIENT, new Limits(1_000, 1, 2, 1));
        Malformed<?> error = decode("@ASK|f0|c1|S0|d1|T1|k1|o'x'#".getBytes(UTF_8), twoSlots);
        assertThat(error.code()).isEqualTo(Code.TOO_MANY_FIELDS);
        assertThat(error.offset()).isEqualTo(23);
    }

    @Test
    void aWarningThatAProfileRefusesIsItsOwnCause() {
        byte[] wire = "@ASK|a3|f0|c1|S0|d1|T1#".getBytes(UTF_8);
        assertThat(new SlipCodec().decode(wire, DecodeOptions.LENIENT)).isInstanceOf(Decoded.class);
        Malformed<?> error = decode(wire, DecodeOptions.STRICT);
        assertThat(error.code()).isEqualTo(Code.SLIP_UNKNOWN_PREFIX);
        assertThat(error.offset()).isEqualTo(1);
    }

    private static Malformed<?> decode(byte[] wire) {
        return decode(wire, DecodeOptions.LENIENT);
    }

    private static Malformed<?> decode(byte[] wire, DecodeOptions options) {
        return ValueDiagnosis.explain(wire, Protocol.SLIP, (Malformed<?>) new SlipCodec().decode(wire, options));
    }
}
