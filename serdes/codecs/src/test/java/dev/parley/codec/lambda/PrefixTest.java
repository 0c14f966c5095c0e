package dev.parley.codec.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.LambdaMessage;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.DecodeResult.Decoded;
import dev.parley.codec.DecodeResult.Malformed;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A malformed part before the statements is an error at its byte, and is never read as another part. */
class PrefixTest {

    private static DecodeResult<LambdaMessage> decode(String wire) {
        return new LambdaCodec().decode(wire.getBytes(UTF_8), DecodeOptions.LENIENT);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "@v0.6 #h; 6; #id: and #h must follow the version directly",
                "@v0.6 #h !Aw/s; 6; #id: and #h must follow the version directly",
                "@v0.6#H !Aw/s; 5; #id: and #h must follow the version directly",
                "@v0.6 #H; 6; #id: and #h must follow the version directly",
                "@v0.6#ID:m1 !Ik; 5; #id: and #h must follow the version directly",
                "@v0.6#Id:m1; 5; #id: and #h must follow the version directly",
                "@v0.6#m1 !Ik; 5; #id: and #h must follow the version directly",
                "@v0.6#id=m1 !Ik; 5; #id: and #h must follow the version directly",
                "@v0.6#h#id !Ik; 7; #id: and #h must follow the version directly",
                "@A1 !Ik/co; 1; Agents must be written @A1:",
                "@v0.6 @A1 prv: !Ik/co; 7; Agents must be written @A1:",
                "@A1 prv:!Ik/co; 1; Agents must be written @A1:",
                "@A1 & A2: !Ik/co; 1; Agents must be written @A1:",
                "@v0.6 #iD:m1; 6; #id: and #h must follow the version directly",
                "@v0.6#h #id:m1; 8; #id: and #h must follow the version directly",
                "@v0.6#id: !Ik; 5; The header's #id: must be followed by a message ID.",
                "PUB: !Ik; 0; A trust prefix must be pub:, prv: or sig:, in lower case.",
                "`A: !Ik\nB: ?Uk`; 7; A header, address, relay",
                "`A: !Ik\n\nB2:\t \n<+`; 8; A header, address, relay",
                "`A: ?Uk\n!Ik B: x\nC: @X`; 16; A header, address, relay",
                "`?Uk\nB: !Ik`; 4; A header, address, relay",
                "`?Uk[x]\nprv:!Ik`; 7; A header, address, relay",
                "`?Uk\nsig: {a:b}!Ik`; 4; A header, address, relay",
                "`?Uk\nA1>A2: !Ik`; 4; A header, address, relay",
                "`?Uk\nA1>A2:\n@X`; 4; A header, address, relay",
                "@v0.6 ?Uc/la @v0.6 !Ik/la; 13; A header, address, relay",
                "[1]@v0.5; 3; A header, address, relay",
                "@A1: ?Uk @*,B1: !Ik; 9; A header, address, relay",
                "?Uk @A1:x; 4; A header, address, relay",
                "@v0.6 @b2: ?Uk; 7; Agents must be written",
                "!Ik @b2:; 5; Agents must be written"
            })
    void theErrorIsAtItsByte(String wire, int offset, String detail) {
        assertThat(decode(wire)).isInstanceOfSatisfying(Malformed.class, error -> {
            assertThat(error.code()).isEqualTo(Code.LAMBDA_MALFORMED);
            assertThat(error.detail()).startsWith(detail);
            assertThat(error.offset()).isEqualTo(offset);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@v0.6#h",
                "@v0.6#h< !Ik",
                "@v0.6#id:m1#h !Ik",
                "@v0.6 #x",
                "@v0.6 #hi",
                "@v0.6 #id",
                "@v0.6 #i:d",
                "@v0.6 #ix:a",
                "@v0.6 #xd:a",
                "@v0.6 #ids:a",
                "@v0.6 !Ik #h",
                "#h",
                "PRV>A1:!Ik",
                "A: !Ik ?Uk",
                "A: !Ik\nB1",
                "A: !Ik\nB:?Uk",
                "A: !Ik\n{b:c}",
                "@v0.6\n@A1:\nprv:\n>> !Ik",
                "{a:b}\nprv: !Ik",
                "!a/\"x\nB: !Ik\"",
                "!a{\nprv:!b}",
                "!Ik prv: ?Uk",
                "!Ik\nprv: U",
                "!Ik\nprv:",
                "!Ik\nA: U",
                "!Ik\n*: !U",
                "!Ik @b2:x",
                "!Ik @b/c:",
                "!Ik @:"
            })
    void otherTextIsRead(String wire) {
        assertThat(decode(wire)).isInstanceOf(Decoded.class);
    }
}
