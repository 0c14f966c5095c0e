package dev.parley.decode;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.InnerMessage;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.Rounds;
import java.nio.charset.Charset;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
    private static final int MEBIBYTE = 1 << 20;

    private static List<InnerMessage> find(String text) {
        return InnerMessages.find(text.getBytes(UTF_8), WireProtocols.STANDARD, DecodeOptions.LENIENT);
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
                List<InnerMessage> inner = InnerMessages.find(value, WireProtocols.STANDARD, DecodeOptions.LENIENT);
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

    @Test
    void severalMessagesAreFoundInOrder() {
        assertThat(texts(SLIP + " " + CSP + "\n\n" + SLIP)).containsExactly(SLIP, CSP, SLIP);
        assertThat(texts("B: !Ik/co\nA: ?Uc/la")).containsExactly("B: !Ik/co", "A: ?Uc/la");
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
                "！"
            })
    void theSearchReadsEachByteAConstantNumberOfTimes(String piece) {
        for (String tail : List.of("", " ".repeat(MEBIBYTE / 2), "\"", "#")) {
            byte[] value = (piece.repeat((MEBIBYTE - tail.length()) / piece.length()) + tail).getBytes(UTF_8);
            assertThat(InnerMessages.work(value, WireProtocols.STANDARD, DecodeOptions.LENIENT))
                    .as("%s and %d characters", piece, tail.length())
                    .isLessThan(16L * MEBIBYTE);
        }
    }

    @Test
    void anyTextGivesRangesInsideItInOrder() {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        Random random = new Random(seed);
        String[] pieces = {
            SLIP, CSP, "!Ik/co", "{\"type\":\"STATE\",\"payload\":\"000110\"}", "\"", "\\", "\n", "```", " ", "<|", "x:"
        };
        for (int round = 0; round < Rounds.of(5_000); round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(8); i >= 0; i--) {
                String piece = pieces[random.nextInt(pieces.length)];
                text.append(piece, 0, random.nextInt(3) > 0 ? piece.length() : random.nextInt(piece.length() + 1));
            }
            byte[] value = text.toString().getBytes(UTF_8);
            int before = 0;
            for (InnerMessage inner : InnerMessages.find(value, WireProtocols.STANDARD, DecodeOptions.LENIENT)) {
                assertThat(inner.getStart()).as("parley.seed=%d %s", seed, text).isGreaterThanOrEqualTo(before);
                assertThat(inner.getEnd()).as("parley.seed=%d %s", seed, text).isGreaterThan(inner.getStart());
                before = inner.getEnd();
                byte[] message = InnerMessages.bytes(value, inner);
                assertThat(WireProtocols.STANDARD.evident(message).name())
                        .as("parley.seed=%d %s", seed, text)
                        .isEqualTo(inner.getProtocol());
            }
            assertThat(before).isLessThanOrEqualTo(value.length);
        }
    }
}
