package dev.parley.diagnosis;

import static dev.parley.codec.csp.CspSamples.FILE;
import static dev.parley.codec.csp.CspSamples.PATCH;
import static dev.parley.codec.csp.CspSamples.RESULT;
import static dev.parley.codec.csp.CspSamples.TASK;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.parley.codec.LinearTime;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A message inside other text ends before the text after it. */
class CspEmbeddedTest {

    @ParameterizedTest
    @MethodSource
    void aMessageEndsBeforeTheTextAfterIt(String message, String after) {
        for (String before : new String[] {"", " ", "Here:\n", "```\n", "\"", "\uFEFF", "ä"}) {
            byte[] start = before.getBytes(UTF_8);
            byte[] text = (before + message + after).getBytes(UTF_8);
            assertThat(CspEmbedded.end(text, start.length))
                    .as(before)
                    .isEqualTo(start.length + message.getBytes(UTF_8).length);
        }
    }

    static Stream<Arguments> aMessageEndsBeforeTheTextAfterIt() {
        return Stream.of(
                arguments(TASK, ""),
                arguments(TASK, "\r\n \t\n"),
                arguments(TASK, "\n```\nPRIORITY P2"),
                arguments(TASK, "\n~~~"),
                arguments(TASK, "\n\nAnything else?"),
                arguments(TASK, "\n \nA question"),
                arguments(TASK, "\n\nA"),
                arguments(TASK, "\n\nOK, done"),
                arguments(TASK, "\n\nGRÜSSE an alle"),
                arguments(TASK, "\n\n- one\n- two"),
                arguments(TASK, "\n\n\nNOTE x"),
                arguments(TASK, "\nAnything else?"),
                arguments(TASK, "\n- one\n- two"),
                arguments(TASK, "\n---\nCSP/1\nFROM A"),
                arguments(TASK, "\nCSP/1 is read"),
                arguments(PATCH, "\nAnd more"),
                arguments(TASK, "\n\nCSP/1\nFROM A"),
                arguments(TASK, "\nCSP/1 \r\nFROM A"),
                arguments(TASK, "<|im_end|>"),
                arguments(TASK, "<｜end▁of▁sentence｜>"),
                arguments(TASK, "<end_of_turn>"),
                arguments(TASK, "\n<eos>"),
                arguments(TASK, "[/INST]"),
                arguments(TASK, "</message>"),
                arguments(TASK, "\n  </message>\n"),
                arguments(TASK, "\n</a"),
                // What belongs to the message.
                arguments(TASK + "\nNOTE <b>, a < b, <| and </\n  >", ""),
                arguments(TASK + "\nNOTE CSP/1\nFROM", "\n\nTx"),
                arguments(TASK + "\nNOTE x\nCSP/1 is read", ""),
                arguments(TASK + "\nNOTE x\nCSP/1", ""),
                arguments(TASK.replace("PRIORITY ", "Priority: "), ""),
                arguments(TASK.replace("PRIORITY ", "\n- PRIORITY ") + "\n\nIN = x", "\n\nin the end"),
                arguments(RESULT.replace("PRODUCED ", "produced: "), ""),
                arguments(TASK + "\n\nNOTE x", "\n\nx"),
                arguments(TASK + "\n\nNO", ""),
                arguments(TASK + "\n\nNO\tx", ""),
                arguments(PATCH + "\n\n+ DEF A = b\n\n~ DEF A := b\n\n- DEF A", "\n\n+ DEFINITION"),
                arguments(PATCH, "\n\n* DEF A"),
                arguments(RESULT + "\n``\n~~", "\n```"),
                arguments("CSP/1\nFROM A", ""),
                arguments("CSP/1\r\n\r\nx\r\n<|", "\n\n"),
                // A heredoc may have any content, and ends the message.
                arguments(FILE, ""),
                arguments(FILE, " "),
                arguments(FILE, "\n\nDone. The end is >>>"),
                arguments(FILE, "\n```\n\nDone."),
                arguments(FILE, "\n</message>\nb"),
                arguments(FILE, "\nCSP/1\nFROM A\n>>>"),
                arguments(FILE, "\n\n" + FILE),
                arguments(FILE, "\n\nAnd:\n<<<\n>>>"),
                arguments(FILE, "\"\n>x"),
                arguments(FILE.replace("<<<\n", "<<<\n>>> f(1)\n>>>> a\n>>>>>>> b\n>>>c\n"), ""),
                arguments(FILE.replace("@@ -100", "```\n\nCSP/1\nText </a>\n\n\n@@"), "\n\nMore"),
                arguments(FILE.replace("CONTENT\n", "CONTENT "), "\n\nDone."),
                arguments(FILE.replace("CONTENT\n<<<\n", "CONTENT <<< \r\n\n\n"), "\r\n"));
    }

    /** Cutting the message at the first closing line would send a part of its file. */
    @ParameterizedTest
    @ValueSource(strings = {"\nb", "\n  b", "\nb\n>>>", "\n\nb\n\n>>>", "\n>>>", "\nPATH x", "\n\nPATH x", "\n\n>>> "})
    void aHeredocThatMayContainItsClosingLineHasNoEnd(String after) {
        for (String before : new String[] {"", "Here:\n", "`"}) {
            byte[] text = (before + FILE + after).getBytes(UTF_8);
            assertThat(CspEmbedded.end(text, before.length())).isNegative();
        }
    }

    @ParameterizedTest
    @MethodSource
    void noMessageStartsWithAnotherLine(String before, String text, int reason) {
        int from = before.getBytes(UTF_8).length;
        assertThat(CspEmbedded.end((before + text).getBytes(UTF_8), from)).isEqualTo(-1 - reason);
    }

    static Stream<Arguments> noMessageStartsWithAnotherLine() {
        String open = FILE.substring(0, FILE.length() - 3) + " >>>\n";
        return Stream.of(
                arguments("", "CSP/1", 0),
                arguments("", "CSP/1 \t\r", 0),
                arguments("", "CSP/2\nFROM A", 0),
                arguments("", "CSP/1.0\nFROM A", 0),
                arguments("", "CSP/1 FROM A\nTO B", 0),
                arguments("\\", "CSP/1\nFROM A", 1),
                arguments("n", "CSP/1\nFROM A", 1),
                arguments("0", "CSP/1\nFROM A", 1),
                // A heredoc without an end extends to the end of the text.
                arguments("", open, open.length()));
    }

    @Test
    void theCostOfBlankLinesIsLinear() {
        LinearTime.check(
                "blank lines of a heredoc",
                size -> LinearTime.repeated("CSP/1\nCONTENT <<<\n", "\n", "", size),
                text -> assertThat(CspEmbedded.end(text, 0)).isEqualTo(-1 - text.length));
        LinearTime.check(
                "closing lines of heredocs",
                size -> LinearTime.repeated("", "`CSP/1\n\nCONTENT <<<\n>>>\n\n", "", size),
                CspEmbeddedTest::ends);
    }

    private static int ends(byte[] text) {
        int found = 0;
        for (int at = 0; at < text.length; at++) {
            found += text[at] == 'C' && CspEmbedded.end(text, at) > 0 ? 1 : 0;
        }
        return found;
    }
}
