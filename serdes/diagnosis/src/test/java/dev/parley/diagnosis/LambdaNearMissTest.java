package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Profile;
import dev.parley.avro.Protocol;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Limits;
import dev.parley.codec.lambda.LambdaCodec;
import dev.parley.codec.lambda.LambdaDetection;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A text that deviates from a message in one small thing has an error at its byte, with the cause. */
class LambdaNearMissTest {
    private static final String HEADER = "The header must be @v0.6.";
    private static final String NAME = "A message must not start with the protocol's name.";
    private static final String AGENTS = "Agents must be written @A1: or @A1,A2: or A1>A2:, with upper-case letters.";
    private static final String OBJECT = "This is a JSON object. A message must be one text";
    private static final String KEYS = "The keys of a context must not be in quotes.";
    private static final String TEXT = "A text with white space must be in double quotes (\").";
    private static final String ERROR = "An error must start with !er: and its code.";
    private static final String DOMAIN = "A letter and a colon name a domain in v1.1.";
    private static final String SPACE = "White space follows a type. The body must follow it directly.";
    private static final String TYPE = "A statement must start with its type, such as ! or ?: !Ik/co.";

    record Miss(String wire, Code code, int offset, String detail) {}

    private static Miss miss(String wire, int offset, String detail) {
        return new Miss(wire, Code.LAMBDA_MALFORMED, offset, detail);
    }

    private static Miss typographic(String wire, int offset) {
        byte[] utf8 = wire.getBytes(UTF_8);
        int character = new String(utf8, offset, utf8.length - offset, UTF_8).codePointAt(0);
        return miss(wire, offset, String.format("U+%04X is a typographic character. Write ", character));
    }

    static Stream<Miss> misses() {
        return Stream.of(
                miss("@V0.6", 0, HEADER),
                miss("@V0.6#h", 0, HEADER),
                miss("@ \tv0.6 !Ik/co", 0, HEADER),
                miss("@10.20!Ik/co", 0, HEADER),
                miss("@v1 !Ik/co", 0, HEADER),
                miss("@V2", 0, HEADER),
                miss("@v0.6 @a1: !Ik/co", 7, AGENTS),
                miss("@v0.6#id:a\n! Ik/co", 12, SPACE),
                miss("V0.6#id:a", 0, HEADER),
                miss("v0.6", 0, HEADER),
                miss("λ0.6", 0, HEADER),
                miss("Λ @v0.6 !Ik/co", 0, NAME),
                miss("Λ !Ik/co", 0, NAME),
                miss("λ : !Ik/co", 0, NAME),
                miss("λ!Ik/co", 0, NAME),
                miss("Prv !Ik/co", 0, LambdaDetection.TRUST),
                miss("c:!If/bg", 0, DOMAIN),
                miss("@v1.1 v: !Ie/aw", 6, DOMAIN),
                miss("PUB:!Ik/co", 0, LambdaDetection.TRUST),
                miss("PRV:!Ik/co", 0, LambdaDetection.TRUST),
                miss("@v0.6 PRV: !Ik/co", 6, LambdaDetection.TRUST),
                miss("@v0.6 @A1,b2: ?Uk/co", 10, AGENTS),
                miss("@v0.6 b1>b2: !Ik/co", 6, AGENTS),
                miss("sig : !Ik/co", 0, LambdaDetection.TRUST),
                miss("Private:\n!Ik/co", 0, LambdaDetection.TRUST),
                miss("public !Ik/co", 0, LambdaDetection.TRUST),
                miss("signed: !Ik/co", 0, LambdaDetection.TRUST),
                miss("[prv] !Ik/co", 0, LambdaDetection.TRUST),
                miss("**Private:** !Ik/co", 0, LambdaDetection.TRUST),
                miss("- prv: !Ik/co", 0, LambdaDetection.TRUST),
                miss("prv; !Ik/co", 0, LambdaDetection.TRUST),
                miss("@v0.6 (signed)\n!Ik/co", 6, LambdaDetection.TRUST),
                miss("@a:!Ik/co", 1, AGENTS),
                miss("@A,b:!Ik/co", 3, AGENTS),
                miss("@ a:!Ik/co", 1, AGENTS),
                miss("@A_1* :!Ik/co", 5, AGENTS),
                miss("@A ,B:!Ik/co", 2, AGENTS),
                miss("@A, B:!Ik/co", 3, AGENTS),
                miss("a>B:!Ik/co", 0, AGENTS),
                miss("A>b:!Ik/co", 2, AGENTS),
                miss("A->*:!Ik/co", 1, AGENTS),
                miss("A -> B: !Ik/co", 1, AGENTS),
                miss("A>B -> C: !Ik/co", 3, AGENTS),
                miss("A>B > C:!Ik/co", 3, AGENTS),
                miss("@: !Ik/co", 0, AGENTS),
                miss("@a,:!Ik/co", 0, AGENTS),
                miss("@{{agent}}: !Ik/co", 0, AGENTS),
                miss("@<AGENT>:!Ik/co", 0, AGENTS),
                miss("@v0.6 @A1 and A2: !Ik/co", 6, AGENTS),
                miss("!err:pa", 1, ERROR),
                miss("!ERR:un/co", 1, ERROR),
                miss("!error:cx{a:b}", 1, ERROR),
                miss("!Error:to", 1, ERROR),
                miss("!error:ov ?Uk", 1, ERROR),
                miss("!  Ik/co", 1, SPACE),
                miss("?\nUc/la", 1, SPACE),
                miss(". Uf/X", 1, SPACE),
                miss("~ X*d/ta", 1, SPACE),
                miss("prv: > ig/U", 6, SPACE),
                miss(">> ! Ik/^", 4, SPACE),
                new Miss("Ik/co", Code.LAMBDA_NO_TYPE, 0, TYPE),
                new Miss("I*d/$60s", Code.LAMBDA_NO_TYPE, 0, TYPE),
                new Miss("Ik/^", Code.LAMBDA_NO_TYPE, 0, TYPE),
                new Miss("A: Ik/co", Code.LAMBDA_NO_TYPE, 3, TYPE),
                new Miss("@A1: prv: >> Ik/co ?Uk", Code.LAMBDA_NO_TYPE, 13, TYPE),
                miss("{\"t\":\"!\",\"b\":\"Ik/co\"}", 0, OBJECT),
                miss("{\"b\":[{\"c\":1}], \"type\" : \"<->\"}", 0, OBJECT),
                miss("{\"type\":\"@\"", 0, OBJECT),
                miss("{ \"ns\":\"a}\\\"\"} !Ik/co", 2, KEYS),
                miss("{\"a\":[1,{\"t\":\"!\"}]}!Ik/co", 1, KEYS),
                new Miss("{def:ta=build it}", Code.LAMBDA_BAD_STRING, 8, TEXT),
                new Miss("{def:a=b\nc,d=e}!Ik", Code.LAMBDA_BAD_STRING, 7, TEXT),
                new Miss("{def:a_1=b c}", Code.LAMBDA_BAD_STRING, 9, TEXT),
                typographic("！Ik/co", 0),
                typographic("～Ik/co", 0),
                typographic("∼Ik/co", 0),
                typographic("!Ik∕co", 3),
                // The first one that ASCII has; a letter in a string is none.
                typographic("!Ik\"é\"／co", 7),
                typographic("!Ik⁄co", 3),
                typographic("!Ik→Ie/co", 3),
                typographic("»!Ik/co", 0),
                typographic("« !Ik/co", 0),
                typographic("— !Ik/co", 0),
                typographic("–‐ !Ik/co", 0),
                typographic("‑− !Ik/co", 0),
                typographic("!Ik/co\u00A0?Uc/la", 6),
                typographic("!x{a:„b (c)“}", 5),
                typographic("!x{a:“b (c)”}", 5),
                typographic("{def:ta=a“b c”}", 9),
                typographic("\u00A0!Ik/co", 0),
                miss("!Ik\\/co", 3, "\\/ is an escape. Write '/'."),
                miss("A1\\u003eB1:!Ik/co", 2, "\\u003e is an escape of JSON. Write '>'."),
                miss("&gt;Ig/U", 0, "&gt; is an entity of HTML. Write '>'."),
                miss("%21Ik/co", 0, "%21 is an escape of URLs. Write '!'."));
    }

    @ParameterizedTest
    @MethodSource("misses")
    void theErrorNamesTheByteAndTheCause(Miss miss) {
        for (String before : new String[] {"", "\n"}) {
            Malformed<?> error =
                    NearMisses.LAMBDA.nearMiss((before + miss.wire() + " \n").getBytes(UTF_8), before.length());
            assertThat(error).isNotNull();
            assertThat(error.detail()).startsWith(miss.detail());
            assertThat(error.code()).isEqualTo(miss.code());
            assertThat(error.offset()).isEqualTo(before.length() + miss.offset());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "v0.6 is out",
                "0.6 !Ik/co",
                "@v.6 !Ik/co",
                "@V0.6 !Ik",
                "version 0.6#1",
                "Λ",
                "λ: calculus",
                "λx.x/y",
                "Lambda: !Ik/co",
                "prv",
                "prv: hello",
                "Prv !Ik",
                "provide !Ik/co",
                "pubs: !Ik/co",
                "secret: !Ik/co",
                "b: !Ik/co",
                "c: please",
                "c:/Users",
                "e:!x",
                "@a !Ik/co",
                "@a: please",
                "@A1: Ik",
                "@a::!Ik/co",
                "@x y\n: !Ik/co",
                "A>: !Ik/co",
                "A-B: !Ik/co",
                "A -> B",
                "a > b: !c",
                "!err",
                "!err:",
                "!err:p",
                "!err:pax",
                "!err:zz",
                "!errs:pa",
                "!err pa",
                "?err:pa",
                "! Ik",
                "! I/co",
                "! Ikk/co",
                "! 1k/co",
                "! Ik/1",
                "! Ik/",
                "# Ik/co",
                "< Ik/co",
                "Ik",
                "Ik/",
                "Ik/1",
                "Ikk/co",
                "ik/co",
                "IK/co",
                "I*/co",
                "Ik/co and the rest",
                ">>",
                "A1>A2:",
                "{\"type\":",
                "{\"type\":\"!!\"}",
                "{\"type\":\"text\"}",
                "{\"type\":1}",
                "{\"type\",\"!\"}",
                "{\"type:\":\"!\"}",
                "{\"x\":\"!\"}",
                "{\"tt\":\"!\"}",
                "{\"a\":{\"type\":\"!\"}}",
                "{\"a\":[\"type\":\"!\"]}",
                "{\"ns\":\"code\"}",
                "{\"ns\":\"code\"}hello",
                "{\"ns\":\"code\"!Ik/co",
                "{'ns':'code'}!Ik/co",
                "{def:ta=build}",
                "{def:ta=build,x y}",
                "{def:ta=\"build it\"}",
                "{def:ta=a\"b c\"}",
                "{def:ta build it}",
                "{def:=build it}",
                "{def:ta=build it",
                "{def:}",
                "{ctx:ta=build it}",
                "é!Ik/co",
                "!Ik/é",
                "— Ana",
                "“!Ik/co”",
                "!Ik/co｟",
                "!Ik/co\uFF00"
            })
    void otherTextHasNoCause(String text) {
        assertThat(NearMisses.LAMBDA.nearMiss(text.getBytes(UTF_8), 0)).isNull();
        assertThat(NearMisses.LAMBDA.nearMiss(("!" + text).getBytes(UTF_8), 1)).isNull();
    }

    @Test
    void aLimitIsItsOwnCause() {
        byte[] wire = "A>a: !Ik{a:{b:{c:d}}}".getBytes(UTF_8);
        assertThat(decode(wire, Limits.NONE).code()).isEqualTo(Code.LAMBDA_MALFORMED);
        assertThat(decode(wire, new Limits(1_000, 1, 10, 10)).code()).isEqualTo(Code.TOO_DEEP);
    }

    private static Malformed<?> decode(byte[] wire, Limits limits) {
        return ValueDiagnosis.explain(wire, Protocol.LAMBDA, (Malformed<?>)
                new LambdaCodec().decode(wire, new DecodeOptions(Profile.LENIENT, limits)));
    }
}
