package dev.parley.codec.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.parley.avro.LambdaDefinition;
import dev.parley.avro.LambdaEntry;
import dev.parley.avro.LambdaKind;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.LambdaStatementKind;
import dev.parley.avro.Profile;
import dev.parley.avro.Reference;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.DecodeResult.Decoded;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Limits;
import dev.parley.codec.LinearTime;
import dev.parley.codec.Traits;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests particulars of Λ v0.6: the examples of its document, and the rows of docs/protocols.md 4.2 and 5 for decoders.
 */
class LambdaCodecTest {
    private final LambdaCodec codec = new LambdaCodec();

    @ParameterizedTest
    @ValueSource(strings = {"@v0.%s !x", "{v:\"%s\"}!x", "{v:\"\n%s\"}!x", "{id:\"\n%s\"}{id:\"\t%s\"}!x"})
    void aDetailQuotesMessagesShortAndOnOneLine(String wire) {
        byte[] bytes = wire.replace("%s", "7".repeat(100_000)).getBytes(UTF_8);
        Malformed<LambdaMessage> fault =
                (Malformed<LambdaMessage>) new LambdaCodec().decode(bytes, DecodeOptions.STRICT);
        assertThat(fault.detail().chars()).hasSizeLessThan(400).noneMatch(Character::isISOControl);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "prv: !Ik; true",
                "{enc:aes}[x]; true",
                "{ns:code,enc:aes}!Ik; true",
                "{prv:true}!Ik; true",
                "{private:yes}!Ik; true",
                "pub: !Ik; false",
                "sig: {ctx:enc}!Ik; false",
                "!Ik{enc:aes}; false",
                "!Ik; false"
            })
    void aMessageSaysThatItIsPrivate(String wire, boolean isPrivate) {
        Decoded<LambdaMessage> decoded =
                (Decoded<LambdaMessage>) codec.decode(wire.getBytes(UTF_8), DecodeOptions.LENIENT);
        assertThat(codec.isPrivate(decoded.message())).isEqualTo(isPrivate);
        assertThat(codec.marksPrivate()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {"!Ik/co[n12]; 6", "!Ik   ?Uk[n1]; 7", "{ctx:a}[n3]; 0", "!er:un / co[n1]; 9"})
    void aChecksumCountsTypesAndBodies(String wire, int characters) {
        Decoded<LambdaMessage> decoded =
                (Decoded<LambdaMessage>) codec.decode(wire.getBytes(UTF_8), DecodeOptions.LENIENT);
        assertThat(LambdaCodec.checksum(decoded.message())).isEqualTo(characters);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "||a|b||c||; Row 2 of a table must have as many cells as the first row, 2, not 1.",
                "A: ||a||b||c|d||e|f|g||; Row 3 of a table must have as many cells as the first row, 1, not 2."
            })
    void theFirstRaggedRowIsNamed(String wire, String sentence) {
        assertThat(LambdaCodec.raggedRow(wire.getBytes(UTF_8))).isEqualTo(sentence);
    }

    @Test
    void onlyQuotedTextMayHaveControlCharacters() {
        for (String wire : List.of("!Ik/co", "{ctx:a}!Ik[a]", "A: !Ik\n?Uk")) {
            assertThat(((Decoded<?>) codec.decode(wire.getBytes(UTF_8), DecodeOptions.LENIENT)).plain())
                    .as(wire)
                    .isTrue();
        }
        assertThat(((Decoded<?>) codec.decode("{id:\"a\n\"}!Ik".getBytes(UTF_8), DecodeOptions.LENIENT)).plain())
                .isFalse();
    }

    @Test
    void aTextThatWouldDecodeDifferentlyIsRefused() {
        requireRefused(m -> token(m, "a !b"), "statements: ", "would decode as");
        requireRefused(m -> token(m, "\""), "LAMBDA_BAD_STRING", "at byte");
        requireRefused(m -> token(m, "\uD800"), "statements: ");
        requireRefused(m -> entry(m, "c:d", "e"), "contexts: ");
        requireRefused(m -> entry(m, "c", "d,e:f"), "contexts: ");
        requireRefused(m -> m.setKind(LambdaKind.FLOOR), "kind: ");
        requireRefused(m -> m.setDefinitions(List.of(new LambdaDefinition("a", "b"))), "definitions: ");
        requireRefused(m -> m.setEncryption("aes"), "encryption: ");
    }

    private void requireRefused(Consumer<LambdaMessage> change, String... texts) {
        LambdaMessage message = message("{ctx:x}!a");
        change.accept(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> codec.encodeChecked(message))
                .satisfies(refusal -> assertThat(refusal).hasMessageContainingAll(texts));
    }

    private static void token(LambdaMessage message, String text) {
        message.getStatements().get(0).getTokens().get(0).setText(text);
    }

    private static void entry(LambdaMessage message, String key, String value) {
        LambdaEntry entry = message.getContexts().get(0).getEntries().get(0);
        entry.setKey(key);
        entry.setValue(value);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{a:1}{ctx:b}; DATA_ONLY; 0; 2",
                "{ctx:b}{a:1}; DATA_ONLY; 1; 1",
                "{a:1}[b]; DATA_ONLY; 0; 2",
                "{a:1} !b; STATEMENTS; 1; 1",
                "{}; DATA_ONLY; 0; 1",
                "{ctx}; DATA_ONLY; 0; 1",
                "{}!x; STATEMENTS; 1; 1",
                "{ }!x; STATEMENTS; 1; 1",
                ">> {ctx:a}; CONTEXT_ONLY; 1; 0",
                ">>; FLOOR; 0; 0",
                "{a:1}{enc:x}[p]; ENCRYPTED; 2; 0",
                "{enc:x}[p][n3] <<; ENCRYPTED; 1; 0",
                "{a:1,enc:x}[p]; ENCRYPTED; 1; 0",
                "{enc:x,a:1}[p]; ENCRYPTED; 1; 0",
                "{abc:x}[p]; DATA_ONLY; 0; 2",
                "{encx:y}[p]; DATA_ONLY; 0; 2",
                "{en:x}[p]; DATA_ONLY; 0; 2",
                "{a:{enc:x}}[p]; DATA_ONLY; 0; 2",
                "{enc:x}!a[p]; STATEMENTS; 1; 1",
                "{enc:x}[p]!a; STATEMENTS; 1; 2",
                "{ctx:a}[n3]; CONTEXT_ONLY; 1; 0",
                "{ctx:a} [n3]; DATA_ONLY; 1; 1",
                "{ctx:a}[ n3 ]; DATA_ONLY; 1; 1",
                "{ctx:a}[n]; DATA_ONLY; 1; 1",
                "{ctx:a}[nx]; DATA_ONLY; 1; 1",
                "{ctx:a}[x3]; DATA_ONLY; 1; 1"
            })
    void aBraceIsAContextBeforeATypeOrWhileItsKeyIsReserved(
            String wire, LambdaKind kind, int contexts, int statements) {
        LambdaMessage message = message(wire);
        assertThat(message.getKind()).isEqualTo(kind);
        assertThat(message.getContexts()).hasSize(contexts);
        assertThat(message.getStatements()).hasSize(statements);
    }

    @ParameterizedTest
    @CsvSource({
        "!er:pa, ERROR",
        "!er:pa/, ERROR",
        "!er:pa x, ERROR",
        "!er:timeout, ERROR",
        "!er:404/x, ERROR",
        "!er:p, ERROR",
        "!er:/pa, ASSERT",
        "!er-pa, ASSERT",
        "!ex:pa, ASSERT",
        "!xr:pa, ASSERT"
    })
    void anErrorHasAWordAsItsCode(String wire, LambdaStatementKind kind) {
        assertThat(message(wire).getStatements().get(0).getKind()).isEqualTo(kind);
    }

    @ParameterizedTest
    @CsvSource({
        "@v, true",
        "@c, true",
        "@e fn, true",
        "@* !Ik/co, true",
        "@v !a, true",
        "@vx, false",
        "@cx, false",
        "@x, false",
        "@a, false",
        "@v1 a, false",
        "@A*: !Ik, false",
        "!e:gn, true",
        "!Ik/c:fn, true",
        "'!Ik/co{ti:b} a:nd', true",
        ".a:pb e:gn>a:nd, true",
        "?v:oc{x:y}, true",
        "!x:gn, false",
        "!Ie:gn, false",
        "!se:gn, false",
        "!e:0.5, false",
        "!x{e:gn}, false",
        "{e:gn}, false",
        "!er:pa, false",
        "~X:th, false",
        "'!x\"e:gn\"', false"
    })
    void aDomainIsAFeatureOfAnotherVersion(String wire, boolean feature) {
        DecodeResult<LambdaMessage> result = codec.decode(wire.getBytes(UTF_8), DecodeOptions.LENIENT);
        assertThat(((Decoded<LambdaMessage>) result).warnings().contains(Code.LAMBDA_VERSION_FEATURE))
                .isEqualTo(feature);
    }

    @ParameterizedTest
    @CsvSource({
        "@v0.6#h#h, 7",
        "@v0.6#h<#h, 8",
        "@v0.6#id:a#id:b, 10",
        "@v0.6 @v0.6 !x, 6",
        "A>B: C>D: !x, 5",
        "@A: @B: !x, 4",
        "pub: prv: !x, 5"
    })
    void aRepeatedPrefixPartIsReportedAtItsSecondPosition(String wire, int offset) {
        Malformed<LambdaMessage> fault = fault(wire);
        assertThat(fault.code()).isEqualTo(Code.LAMBDA_MALFORMED);
        assertThat(fault.offset()).isEqualTo(offset);
    }

    @ParameterizedTest
    @CsvSource({"@v0.6#h#id:a, @v0.6#id:a#h", "@v0.6#h<#id:a, @v0.6#id:a#h<", "sig:!x, sig: !x", ">>!x--, >> !x --"})
    void thePrefixIsWrittenInOneOrder(String wire, String canonical) {
        assertThat(codec.encode(message(wire))).asString(UTF_8).isEqualTo(canonical);
    }

    @ParameterizedTest
    @CsvSource({"{def:a}!x,0", "{def:=b}!x,0", "{def:a=}!x,1", "{def:a=b}!x,1", "'{def:a=b,c=d,e}!x',2"})
    void aDefinitionHasANameAndASign(String wire, int definitions) {
        assertThat(message(wire).getDefinitions()).hasSize(definitions);
    }

    @ParameterizedTest
    @CsvSource({"'A  !Ik',LAMBDA_NO_TYPE,0", "A:,LAMBDA_NO_TYPE,0", "'A: ',LAMBDA_EMPTY,3", "A:!Ik,LAMBDA_NO_TYPE,0"})
    void aLabelEndsWithAColonAndASpace(String wire, String code, int offset) {
        Malformed<LambdaMessage> fault = fault(wire);
        assertThat(fault.code()).hasToString(code);
        assertThat(fault.offset()).isEqualTo(offset);
    }

    @ParameterizedTest
    @ValueSource(strings = {"A: !Ik", "!Ik[n99]", "{v:9}!x"})
    void everyDecodedMessageCanBeEncoded(String wire) {
        LambdaMessage message = message(wire);
        assertThat(codec.encodeChecked(message)).isEqualTo(codec.encode(message));
    }

    @Test
    void messagesDecodedUnderWiderLimitsCanBeEncoded() {
        String wire = "!" + "(".repeat(100) + "a" + ")".repeat(100);
        DecodeResult<LambdaMessage> read =
                codec.decode(wire.getBytes(UTF_8), new DecodeOptions(Profile.LENIENT, Limits.NONE));
        assertThat(codec.encodeChecked(((Decoded<LambdaMessage>) read).message()))
                .asString(UTF_8)
                .isEqualTo(wire);
    }

    @Test
    void traitsContainTheNamesInTheMessage() {
        assertThat(codec.traits(message("Agreement: <+")).senderHint()).isNull();
        Traits traits = codec.traits(message("A: @v0.6#id:m1 @B,C: !er:un"));
        assertThat(traits.conversation()).isNull();
        assertThat(traits.sender()).isNull();
        assertThat(traits.senderHint()).isEqualTo("A");
        assertThat(traits.recipients()).containsExactly("B", "C");
        assertThat(traits.replyTo()).isNull();
        assertThat(traits.references()).containsExactly(new Reference("message", "m1"), new Reference("error", "un"));
        assertThat(codec.traits(message("A>B>C: !Ik")).recipients()).containsExactly("B", "C");
        assertThat(codec.traits(message("@B: A>B>C: !Ik")).recipients()).containsExactly("B");
        assertThat(codec.traits(message("@v0.6#h< !Ik")).replyTo()).isEqualTo("h");
    }

    // A quarter of a megabyte of each would take minutes if the cost were quadratic.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "[",
                "}",
                "\"",
                "\\",
                "|",
                "||",
                "<",
                "< ",
                "> ",
                "!a ",
                "<a{} ",
                "[] ",
                "{} ",
                "{a:b}",
                "{enc:a}[",
                "{}",
                "[n1",
                "@A,",
                "A>",
                "@v0.6 ",
                "#id:a",
                "-",
                "- ",
                ">>",
                ">> ",
                ",",
                ":",
                "\"\"",
                "\"\\\\",
                "1.",
                "é",
                "   ",
                "a ",
                "||a",
                "|| ",
                "<a >>",
                "<+ <<",
                "<a",
                "\nA: ",
                "\nprv:",
                "\nA>B:",
                "!a\nprv:!b "
            })
    void theCostOfAnyInputIsLinear(String piece) {
        for (String opening : List.of("", "!", "{ctx:a", "!\"", "{enc:a}", "@v0.6 ")) {
            LinearTime.check(
                    "opened by " + opening,
                    size -> LinearTime.repeated(opening, piece, "", size),
                    wire -> codec.decode(wire, DecodeOptions.LENIENT));
        }
    }

    /** A list with one word such as n12 at the end of a message is a checksum, with exceptions. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "!x[n12]           | 12",
                "!x [n12]          | ",
                "{a:b}[n12]        | 12",
                "{a:b} [n12]       | ",
                "{a:b}[n]          | ",
                "{a:b}[n1x]        | ",
                "{a:b}[m12]        | ",
                "{a:b}[nn1]        | ",
                "{a:b}[n12][n3]    | 3",
                "{a:b} [n12][n3]   | 3",
                "[n12]             | ",
                "[n12][n3]         | 3",
                "!x[n0]            | 0",
                "!x[n1]>           | ",
                "!x>[n1]           | 1"
            })
    void aChecksumIsDistinguishedFromAList(String wire, Integer checksum) {
        LambdaMessage message = message(wire);
        assertThat(message.getChecksum()).isEqualTo(checksum);
        byte[] canonical = codec.encode(message);
        assertThat(message(new String(canonical, UTF_8)))
                .as(new String(canonical, UTF_8))
                .isEqualTo(message);
    }

    private Malformed<LambdaMessage> fault(String wire) {
        return (Malformed<LambdaMessage>) codec.decode(wire.getBytes(UTF_8), DecodeOptions.LENIENT);
    }

    private LambdaMessage message(String wire) {
        return decoded(wire).message();
    }

    private Decoded<LambdaMessage> decoded(String wire) {
        return decoded(wire.getBytes(UTF_8), DecodeOptions.LENIENT);
    }

    private Decoded<LambdaMessage> decoded(byte[] wire, DecodeOptions options) {
        DecodeResult<LambdaMessage> result = codec.decode(wire, options);
        assertThat(result).as(new String(wire, UTF_8)).isInstanceOf(Decoded.class);
        return (Decoded<LambdaMessage>) result;
    }
}
