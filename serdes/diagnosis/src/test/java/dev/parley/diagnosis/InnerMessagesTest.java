package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.parley.avro.InnerMessage;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Rounds;
import dev.parley.decode.WireProtocol;
import dev.parley.decode.WireProtocols;
import java.nio.charset.Charset;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the search for messages inside other text. */
class InnerMessagesTest {
    private static final String SLIP = "@a3|f0|c1|S0|d1|T1|t\"a#b\"#";
    private static final String CSP =
            "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT FILE\n\nFILEOP F1 PATCH\nPATH x\nBASE h\nCONTENT\n"
                    + "<<<\n```\n\nCSP/1\n>>>";
    private static final String TASK = "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT TASK\n\nTASK T1\nREQ find it\n  soon";
    private static final String RESULT =
            "CSP/1\nFROM A\nTO B\nCTX C0\nINTENT RESULT\n\nRESULT T1\nSTATUS OK\nPRODUCED F\nDATA x";
    private static final int LENGTH = 1 << 17;

    private static List<InnerMessage> find(String text) {
        return InnerMessages.in(text.getBytes(UTF_8), WireProtocols.STANDARD, DecodeOptions.LENIENT, true)
                .found();
    }

    /** The inner messages as texts. */
    private static List<String> texts(String text) {
        return find(text).stream()
                .map(inner -> new String(InnerMessages.bytes(text.getBytes(UTF_8), inner), UTF_8))
                .toList();
    }

    private static String json(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }

    @Test
    void aMessageIsFoundInsideAnyText() {
        for (String message : List.of(SLIP, CSP, "{\"type\":\"STATE\",\"payload\":\"000110\"}", "!Ik/co{x:\"a b\"}")) {
            for (String around : List.of(
                    "```\n%s\n```",
                    "Sure, here it is:\n\n%s\n\nAnything else?",
                    "<think>no</think>\n%s",
                    "<|im_start|>assistant\n%s<|im_end|>",
                    "Größe: 3\n%s")) {
                assertThat(texts(around.replace("%s", message))).as(around).containsExactly(message);
            }
        }
    }

    @Test
    void aMessageInBackticksEndsWithThem() {
        for (String message : List.of(SLIP, TASK, "{\"type\":\"STATE\",\"payload\":\"000110\"}", "!Ik/co{x:\"a b\"}")) {
            for (String around : List.of("`%s`", "`%s` is it", "Send `%s`, then wait.", "`%s\n`\nDone", "``%s``")) {
                assertThat(texts(around.replace("%s", message))).as(around).containsExactly(message);
            }
        }
        assertThat(texts("``" + TASK + " `x` <b>``")).containsExactly(TASK + " `x` <b>");
        assertThat(texts("`" + CSP + "` is it")).containsExactly(CSP);
        assertThat(texts("x\n" + TASK + " `x`")).containsExactly(TASK + " `x`");
    }

    @Test
    void aMessageInAJsonStringIsUnescaped() {
        for (String message : List.of(SLIP, CSP, "!Ik/co{x:\"a\"}", "!Ik/co")) {
            assertThat(texts("{\"a\": " + json(message) + "}")).containsExactly(message);
            assertThat(texts(json(message))).containsExactly(message);
        }
        assertThat(texts("{\"data_base64\":\"QGEzfGYwfGMxfFMwfGQxfFQxIw==\"}")).containsExactly("@a3|f0|c1|S0|d1|T1#");
        assertThat(texts("{\"a\":\"@a3|f0|c1|S0|d1|T1|t\\\"\\ud83d\\ude00\\\"#\"}"))
                .containsExactly("@a3|f0|c1|S0|d1|T1|t\"😀\"#");
    }

    @Test
    void aMessageInTheArgumentsOfAToolCallIsFound() {
        String packet = "{\"type\":\"STATE\",\"payload\":\"000110\"}";
        for (String message : List.of(SLIP, CSP, TASK, packet, "!Ik/co{x:\"ä\"}", "!Ik/co", "!Ik\"C:\\\\u\"/co")) {
            String arguments = "{\"to\":\"0\", \"message\":" + json(message) + "}";
            assertThat(texts("{\"function\":{\"arguments\":" + json(arguments) + "}}"))
                    .as(message)
                    .containsExactly(message);
        }
        assertThat(texts("{\"a\":" + json("{\"b\":" + json(packet) + ",\"c\":" + json("!Ik/co") + "}") + "}"))
                .containsExactly(packet, "!Ik/co");
        assertThat(texts("\\\"@a3|f0\\")).isEmpty();
        assertThat(texts("\\\"\\\\")).isEmpty();
    }

    @Test
    void aMessageInOneOrSeveralEncodingsIsDecoded() {
        for (String message :
                List.of(SLIP, CSP, TASK, "{\"type\":\"STATE\",\"payload\":\"000110\"}", "!Ik/co{x:\"ä\"}")) {
            assertThat(texts(json(json(message)))).containsExactly(message);
            assertThat(texts("{\"a\":" + json(json(message)) + "}")).containsExactly(message);
            String base64 = Base64.getEncoder().encodeToString(message.getBytes(UTF_8));
            assertThat(texts(base64 + "\n")).containsExactly(message);
            assertThat(texts("```\n" + base64 + "\n```")).containsExactly(message);
            assertThat(texts(json(base64))).containsExactly(message);
            assertThat(texts(Base64.getUrlEncoder().withoutPadding().encodeToString(message.getBytes(UTF_8))))
                    .containsExactly(message);
            assertThat(texts(
                            Base64.getMimeEncoder(20, new byte[] {'\r', '\n'}).encodeToString(message.getBytes(UTF_8))))
                    .containsExactly(message);
            for (Charset charset : List.of(UTF_16, UTF_16LE, UTF_16BE)) {
                byte[] value = message.getBytes(charset);
                List<InnerMessage> inner = InnerMessages.in(value, WireProtocols.STANDARD, DecodeOptions.LENIENT, true)
                        .found();
                assertThat(inner).hasSize(1);
                assertThat(InnerMessages.bytes(value, inner.get(0)))
                        .asString(UTF_8)
                        .isEqualTo(message);
            }
        }
    }

    @Test
    void aMessageOfAnotherProtocolEndsAMessageWithoutAnEndMark() {
        for (String second : List.of(SLIP, "{\"type\":\"STATE\",\n\"payload\":\"000110\"}", "!Ik/co", ".Uf/X{pr:^}")) {
            assertThat(texts(TASK + "\n" + second)).containsExactly(TASK, second);
            assertThat(texts("Here:\n" + RESULT + "\n\n" + second)).containsExactly(RESULT, second);
        }
    }

    /** Texts with what they contain. */
    static Stream<Arguments> surroundedMessages() {
        return Stream.of(
                // A line, or the rest of one after a quote, a tag, a bracket or a label.
                arguments("!Ik/co", List.of("!Ik/co")),
                // Several with prose between them.
                arguments("First:\n" + SLIP + "\nThen, as planned:\n" + SLIP + "\nDone.", List.of(SLIP, SLIP)),
                arguments("I say " + SLIP + " and then `!Ik/co`, as agreed.", List.of(SLIP, "!Ik/co")),
                arguments(
                        "I am in {\"type\":\"STATE\",\"payload\":\"000110\"} now.\nNext:\n!Ik/co\nThanks",
                        List.of("{\"type\":\"STATE\",\"payload\":\"000110\"}", "!Ik/co")),
                arguments(" !Ik/co", List.of()),
                arguments("x\n!Ik/co", List.of("!Ik/co")),
                arguments("x\n  !Ik/co", List.of()),
                arguments("x !Ik/co", List.of()),
                arguments("x: !Ik/co", List.of("!Ik/co")),
                arguments("x:  !Ik/co", List.of()),
                arguments("<p> !Ik/co", List.of("!Ik/co")),
                arguments("[INST] !Ik/co [/INST]", List.of("!Ik/co")),
                arguments("<p>!Ik/co</p>", List.of("!Ik/co")),
                arguments("]!Ik/co<|end|>", List.of("!Ik/co")),
                arguments("`!Ik/co` and `?Uc/la`", List.of("!Ik/co", "?Uc/la")),
                arguments("(!Ik/co)", List.of()),
                arguments(": !Ik/co[a]", List.of("!Ik/co[a]")),
                arguments("a\n!Ik<Uw/a", List.of("!Ik<Uw/a")),
                arguments("a\n!Ik/co  \t\r\nb", List.of("!Ik/co")),
                // With its header, after any space or a character beyond ASCII.
                arguments("\uD83D\uDE80 @B1: !Ik/co", List.of("@B1: !Ik/co")),
                arguments("\u200B@v0.6#id:m1 @B1: !Ik/co", List.of("@v0.6#id:m1 @B1: !Ik/co")),
                arguments("Reply \u2192 @B1: !Ik/co", List.of("@B1: !Ik/co")),
                arguments("Here:\n    @B1: !Ik/co", List.of("@B1: !Ik/co")),
                arguments("message: |\n  @v0.6#id:m1 @B1: !Ik/co", List.of("@v0.6#id:m1 @B1: !Ik/co")),
                // Without the bracket that closes one before it.
                arguments("(" + TASK + ")", List.of(TASK)),
                arguments("[" + RESULT + "\n]", List.of(RESULT)),
                // Punctuation alone is no message.
                arguments("a\n!Ik\nb", List.of()),
                arguments("a\n!I:k\nb", List.of("!I:k")),
                // After a clause, a list mark or emphasis, or in single quotes.
                arguments("Hello! !Ik/co", List.of("!Ik/co")),
                arguments("Hi Bob, !Ik/co ?Uc/la", List.of("!Ik/co ?Uc/la")),
                arguments("Sure. !Ik/co", List.of("!Ik/co")),
                arguments("Ready? .Uf/X{pr:^}", List.of(".Uf/X{pr:^}")),
                arguments("1. !Ik/co\n- !Ic/la\n* ?Uc/la", List.of("!Ik/co", "!Ic/la", "?Uc/la")),
                arguments("**!I*k/co**, *!Ik/la*.", List.of("!I*k/co", "!Ik/la")),
                arguments("'!Ik/co' and {'a':'?Uc/la'}", List.of("!Ik/co", "?Uc/la")),
                arguments("Sure.  !Ik/co", List.of()),
                arguments("Sure. Ik/co", List.of()),
                arguments("!Ik/co; .Ud/ta", List.of("!Ik/co", ".Ud/ta")),
                arguments("!Ik/co; ?Uc/la; .Ud/ta", List.of("!Ik/co", "?Uc/la", ".Ud/ta")),
                // The part before a placeholder is no message.
                arguments("!Ik/<domain>", List.of()),
                arguments("x\n!er:<code>", List.of()),
                arguments("!Ik/...", List.of()),
                // A message is not found without its private mark.
                arguments("x\nprv: !Ik/co", List.of("prv: !Ik/co")),
                arguments("Sure! prv: !Ik/co", List.of()),
                arguments("x\nPRV : !Ik/co", List.of()),
                arguments("a Private: !Ik/co", List.of()),
                arguments("x [prv]\n!Ik/co", List.of()),
                arguments("Private\n\n!Ik/co", List.of()),
                arguments("prv > x\n!Ik/co", List.of("!Ik/co")),
                arguments("aprv: !Ik/co", List.of("!Ik/co")),
                arguments("x\nprv: '!Ik/co'", List.of()),
                arguments("prv: *!Ik/co*, `?Uc/la`", List.of("?Uc/la")),
                arguments("x\nPrivate: `!Ik/co`", List.of()),
                arguments("x\nprv: \"!Ik/co\"", List.of()),
                arguments("**prv:** !Ik/co", List.of()),
                arguments("__prv__: - !Ik/co", List.of()),
                arguments("prv: IUlrL2Nv", List.of()),
                arguments("prv: " + SLIP, List.of(SLIP)),
                // Other text after a clause or list mark.
                arguments("Cost is high, ~$500", List.of()),
                arguments("Results. ~n^2", List.of()),
                arguments("- !Ref A/B", List.of()),
                arguments("{'cost':'~$500'} and *~n^2*", List.of()),
                arguments("Hi, @Bob: see A/B", List.of()),
                arguments("{\"path\":\" .a/b\"}", List.of()),
                arguments("{\"a\":\" .Uf/X\"}", List.of(" .Uf/X")),
                arguments("x\n.uf/X{pr:^}", List.of()),
                // Braces, paths and the like of other languages.
                arguments("please do {id:3} now", List.of()),
                arguments("x\n{a:1}\n{id:3}\n[a,b/c]", List.of()),
                arguments("x\n{ns:code}\n{def:ta=\"a b\"}", List.of("{ns:code}", "{def:ta=\"a b\"}")),
                arguments("x\n{ns:code}!Ik/co\n{a:1}!Ik/co", List.of("{ns:code}!Ik/co", "{a:1}!Ik/co")),
                arguments("x\n@v0.6 {id:3}", List.of("@v0.6 {id:3}")),
                arguments("{\"op\":\"<\",\"a\":\"!go\",\"b\":\".a/b\",\"c\":\"?a=b\",\"d\":\"@a/b\"}", List.of()),
                arguments("{\"a\":\"Note: !go\",\"b\":\"{a:1}\"}", List.of()),
                // The lines of a fence are one message.
                arguments("```\n!Ik/co\n?Uc/la\n```", List.of("!Ik/co\n?Uc/la")),
                arguments("x\n```lambda\n!Ik/co\n?Uc/la\n\n```\n!Ik/co", List.of("!Ik/co\n?Uc/la", "!Ik/co")),
                arguments("```\n!Ik/co\n?Uc/la", List.of("!Ik/co\n?Uc/la")),
                arguments("``\n!Ik/co\n?Uc/la\n``", List.of("!Ik/co", "?Uc/la")),
                arguments("```\n!Ik/co\nplease note this", List.of("!Ik/co")),
                arguments("```" + "x".repeat(28) + "\n!Ik/co\n?Uc/la", List.of("!Ik/co\n?Uc/la")),
                arguments("```" + "x".repeat(40) + "\n!Ik/co\n?Uc/la", List.of("!Ik/co", "?Uc/la")),
                // Strings of JSON, Python and the like.
                arguments("{\"a\":\"!Ik/co\"}", List.of("!Ik/co")),
                arguments("[\"!Ik/co\" , \"?Uc/la\"]", List.of("!Ik/co", "?Uc/la")),
                arguments("f(\"!Ik/co\", x=\"?Uc/la\")", List.of("!Ik/co", "?Uc/la")),
                arguments("{\"!Ik/co\":1}", List.of("!Ik/co")),
                arguments("\"!Ik/co\" is it", List.of("!Ik/co")),
                arguments("say \"!Ik/co\"", List.of()),
                arguments("{\"a\":\"!Ik/co", List.of()),
                arguments("{\"a\":\"!Ik{x:\\\"a\\\"}\"}", List.of("!Ik{x:\"a\"}")),
                arguments("{\"a\":\"!Ik\\", List.of()),
                arguments("{\"a\":\"!Ik\\\"", List.of()),
                arguments("{\"a\":\"\"}", List.of()),
                // Strings in strings.
                arguments("\"{\\\"a\\\":\\\"!Ik/co\\\"}\"", List.of("!Ik/co")),
                arguments("\"[\\\"!Ik/co\\\" , \\\"?Uc/la\\\"]\"", List.of("!Ik/co", "?Uc/la")),
                arguments("\"x \\\"!Ik/co\\\"\"", List.of()),
                arguments("\"{\\\"a\\\":\\\"!Ik/co\"}\"", List.of()),
                arguments("\"{\\\"a\\\":\\\"!Ik/co", List.of()),
                arguments("\"{\\\"a\\\":\\\"!Ik/co\\", List.of()),
                arguments("\"{\\\"a\\\":\\\"!Ik/co\\\"", List.of("!Ik/co")),
                // Base64 on a line of its own.
                arguments("Here:\nIUlrL2Nv\nDone", List.of("!Ik/co")),
                arguments("Here: IUlrL2Nv.", List.of()),
                arguments("Here: IUlrL2Nv", List.of("!Ik/co")),
                arguments("Here:IUlrL2Nv", List.of()),
                // Tokens of a chat template.
                arguments("<start_of_turn>model\n@v0.6 @B2: !Ik/co<end_of_turn>", List.of("@v0.6 @B2: !Ik/co")),
                arguments("!Ik/co<eos>\n<h1>", List.of("!Ik/co")),
                arguments("Hi:\n!Ik/a<b>c", List.of("!Ik/a<b>c")),
                // A header is no evidence about the rest of the line.
                arguments("@v0.6 !Ik/co\nHope that helps.", List.of("@v0.6 !Ik/co")),
                arguments("Hi:\n@v0.6 !Ik/co is what we should send", List.of()),
                // One message after the other.
                arguments(SLIP + SLIP, List.of(SLIP, SLIP)),
                arguments(TASK + "\n" + TASK, List.of(TASK, TASK)),
                arguments(TASK + "\n\n" + SLIP + "\n", List.of(TASK, SLIP)));
    }

    @ParameterizedTest
    @MethodSource("surroundedMessages")
    void aMessageIsFoundBetweenItsDelimiters(String text, List<String> messages) {
        assertThat(texts(text)).isEqualTo(messages);
    }

    @Test
    void theRangeOfAMessageIsThatOfItsEncoding() {
        String quoted = json("!Ik{x:\"a\"}");
        assertThat(find("{\"a\":" + quoted + "}")).containsExactly(new InnerMessage("LAMBDA", 5, 5 + quoted.length()));
        assertThat(find("{\"a\":\"!Ik/co\"}")).containsExactly(new InnerMessage("LAMBDA", 6, 12));
        assertThat(find("\"{\\\"a\\\":\\\"!Ik/co\\\"}\"")).containsExactly(new InnerMessage("LAMBDA", 10, 16));
        assertThat(find("x: IUlrL2Nv \n")).containsExactly(new InnerMessage("LAMBDA", 3, 11));
        assertThat(find(" \nIUlrL2Nv\n")).containsExactly(new InnerMessage("LAMBDA", 2, 10));
        assertThat(find("  " + SLIP + "  ")).containsExactly(new InnerMessage("SLIP", 2, 2 + SLIP.length()));
    }

    @Test
    void severalMessagesAreFoundInOrder() {
        assertThat(texts(SLIP + " " + CSP + "\n\n" + SLIP)).containsExactly(SLIP, CSP, SLIP);
        assertThat(texts("B: !Ik/co\nA: ?Uc/la")).containsExactly("B: !Ik/co", "A: ?Uc/la");
    }

    @Test
    void aLabelThatNamesNoAgentIsNoPartOfAMessage() {
        assertThat(texts("Answer: !Ik/co\nBob: ?Uc/la")).containsExactly("!Ik/co", "?Uc/la");
        assertThat(texts("{\"text\":\"Answer: !Ik/co\"}")).containsExactly("!Ik/co");
        assertThat(texts("```\nAnswer: !Ik/co\n```")).containsExactly("!Ik/co");
    }

    @Test
    void aTranslationOnTheSameLineIsNoPartOfAMessage() {
        assertThat(texts("?Uc/la (Can you use language?)")).containsExactly("?Uc/la");
        assertThat(texts("!Ik/la // I know\n!Ik/co 👍")).containsExactly("!Ik/la", "!Ik/co");
        assertThat(texts("!Ik/la (I know) ?Uc/la (can you)")).containsExactly("!Ik/la", "?Uc/la");
        assertThat(texts("Answer: !Ik/la.")).containsExactly("!Ik/la");
        assertThat(texts("A: !Ik/la — I know")).containsExactly("A: !Ik/la");
        assertThat(texts("!Ik/la I know")).isEmpty();
        assertThat(texts("!go (now)")).isEmpty();
    }

    @Test
    void punctuationAndCodeAreNotMessages() {
        for (String text : List.of(
                "`.env` and `<div>` and `--flag`",
                "Run `./run.sh`.\n- one\n- two\n> quote\n# Title",
                "{\"a\":[1,2,{\"b\":\"c\"}],\"type\":\"text\"}",
                "[INFO] @here: see https://example.com/a?b=c#d",
                "CSP/1 is a protocol.\nCSP/1")) {
            assertThat(find(text)).as(text).isEmpty();
        }
    }

    @Test
    void theNumberOfMessagesIsLimited() {
        List<InnerMessage> found = find("!Ik/co\n".repeat(2_000));
        assertThat(found).hasSize(InnerMessages.MAX_INNER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "{\"",
                "[{",
                "\"",
                "\\\"",
                "\"\\",
                ":\"",
                "```\n",
                "`",
                "@a1|",
                "@a1|t\"",
                "@a1|\\\"",
                "@a#",
                "<|",
                "</a>",
                "CSP/1\n",
                "CSP/1\nX\n\n<<<\n",
                "CSP/1\nFROM A\n\nTASK\n\n",
                "{\"type\":\"STATE\",",
                "{\"payload\":\"0\"}{",
                "A: !a/b",
                ">!a/b",
                ": !a/b",
                "\n!a/b{",
                "\n||a||b||",
                "]]",
                "{\"a\":",
                "[\"a\",",
                "\n\n",
                " \"",
                "==",
                "QUFB",
                "\"\\\"",
                "@\0",
                "\0@",
                "CSP/1\nX\n\nT 1\n{\n",
                "CSP/1\nX\n\nT 1\n@a1|f\n",
                "CSP/1\nX\n\nT 1\n{\"type\":\"STATE\",\n",
                "A > A: ",
                "{\"t\":",
                "！",
                ". !a/b{",
                "'!a/b",
                "**!a/b",
                "`CSP/1\nFROM A\n"
            })
    void theSearchReadsEachByteAConstantNumberOfTimes(String piece) {
        for (String tail : List.of("", " ".repeat(LENGTH / 2), "\"", "#")) {
            byte[] value = (piece.repeat((LENGTH - tail.length()) / piece.length()) + tail).getBytes(UTF_8);
            assertThat(search(value).work.read())
                    .as("%s and %d characters", piece, tail.length())
                    .isBetween(1L, 48L * LENGTH);
        }
    }

    @Test
    void onlyTheBeginningOfALargeValueIsSearched() {
        String message = "\n!Ik/co\n";
        byte[] inside = (" ".repeat(100_000) + message + " ".repeat(1 << 20)).getBytes(UTF_8);
        byte[] behind = (" ".repeat(1 << 20) + message).getBytes(UTF_8);
        byte[] lines = "CSP/1\n".repeat((1 << 20) / 6).getBytes(UTF_8);
        assertThat(search(inside).found()).hasSize(1);
        assertThat(search(behind).found()).isEmpty();
        assertThat(search(behind).isFinished()).isFalse();
        assertThat(search(lines).work.read()).isLessThan(3 << 20);
    }

    @Test
    void aMessageThatMayContinueBehindWhatIsSearchedIsNone() {
        String before = " ".repeat(ValueDiagnosis.MAX_DIAGNOSED - 7) + "\n!Ik/co";
        assertThat(search(before.getBytes(UTF_8)).found()).hasSize(1);
        assertThat(search((before + "de").getBytes(UTF_8)).found()).isEmpty();
    }

    private static InnerMessages search(byte[] value) {
        return InnerMessages.in(value, WireProtocols.STANDARD, DecodeOptions.LENIENT, true);
    }

    @Test
    void anyTextGivesRangesInsideItInOrder() {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        Random random = new Random(seed);
        String[] pieces = {
            SLIP,
            CSP,
            "!Ik/co",
            "{\"type\":\"STATE\",\"payload\":\"000110\"}",
            "\"",
            "\\",
            "\n",
            "```",
            " ",
            "<|",
            "x:",
            json(SLIP + "\n"),
            json(json(":" + SLIP) + "\n"),
            "!Ik/co{x:\"\\\\n\"}",
            "\\n",
            "\\u0021Ik/co",
            "<![CDATA[",
            "]]>"
        };
        for (int round = 0; round < Rounds.of(5_000); round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(8); i >= 0; i--) {
                String piece = pieces[random.nextInt(pieces.length)];
                text.append(piece, 0, random.nextInt(3) > 0 ? piece.length() : random.nextInt(piece.length() + 1));
            }
            byte[] value = text.toString().getBytes(UTF_8);
            int before = 0;
            for (InnerMessage inner : InnerMessages.in(value, WireProtocols.STANDARD, DecodeOptions.LENIENT, true)
                    .found()) {
                assertThat(inner.getStart()).as("parley.seed=%d %s", seed, text).isGreaterThanOrEqualTo(before);
                assertThat(inner.getEnd()).as("parley.seed=%d %s", seed, text).isGreaterThan(inner.getStart());
                before = inner.getEnd();
                byte[] message = InnerMessages.bytes(value, inner);
                WireProtocol<?> protocol = WireProtocols.STANDARD.evident(message);
                assertThat(protocol.name()).as("parley.seed=%d %s", seed, text).isEqualTo(inner.getProtocol());
                assertThat(protocol.codec().decode(message, DecodeOptions.LENIENT))
                        .as("parley.seed=%d %s", seed, text)
                        .isInstanceOf(DecodeResult.Decoded.class);
            }
            assertThat(before).isLessThanOrEqualTo(value.length);
        }
    }
}
