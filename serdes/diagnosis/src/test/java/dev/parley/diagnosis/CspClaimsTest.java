package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.parley.decode.ClaimedNames;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The sender of an undecodable message is that of its first line FROM, however the line is written. */
class CspClaimsTest {

    @ParameterizedTest
    @MethodSource
    void theSenderIsReadFromItsLine(String wire, String sender) {
        assertThat(CspClaims.of(wire.getBytes(UTF_8))).isEqualTo(new ClaimedNames(null, sender, null));
    }

    static Stream<Arguments> theSenderIsReadFromItsLine() {
        return Stream.of(
                arguments("CSP/1\nFROM MAIN\nTO A", "MAIN"),
                arguments("CSP/1\nFROM MAIN \t\r\nTO A", "MAIN"),
                arguments("CSP/1\nFROM  Größe", "Größe"),
                arguments("CSP/1\nFROM M", "M"),
                arguments("CSP/1\n\tFrom\tMAIN\nTO A", "MAIN"),
                arguments("CSP/1\nFROM: MAIN\nTO: A", "MAIN"),
                arguments("CSP/1\nFROM = MAIN\nTO = A", "MAIN"),
                arguments("CSP/1\n- `FROM` MAIN\n- `TO` A", "MAIN"),
                arguments("CSP/1\n__FROM__ MAIN\n__TO__ A", "MAIN"),
                arguments("CSP/1\nTO A\nFROM MAIN\nFROM B", "MAIN"),
                arguments("CSP/1\nFROMAGE B\nFRO C\nFROM MAIN", "MAIN"),
                arguments("FROM MAIN\nTO A", "MAIN"),
                arguments("\uFEFFFROM MAIN\nTO A", "MAIN"),
                arguments("\uFEFF CSP/2\nFROM MAIN", "MAIN"),
                // Prose before the message may begin with "from".
                arguments("From me:\nCSP/1\nFROM MAIN", "MAIN"),
                // Escapes for line feeds.
                arguments("CSP/1\\nFROM MAIN\\nTO A", "MAIN"),
                arguments("b'CSP/1\\r\\nFROM MAIN\\r\\nTO A'", "MAIN"),
                arguments("CSP/1\nFROM C:\\MAIN\nTO A", "C:\\MAIN"),
                // All keys on the first line.
                arguments("CSP/1 FROM MAIN TO A CTX C0", "MAIN"),
                arguments("CSP/1|FROM MAIN|TO A", "MAIN"),
                arguments("CSP/1 | FROM MAIN | TO A", "MAIN"),
                arguments("CSP/1 FROM MAIN", "MAIN"),
                arguments("CSP/1 FROM MAIN\nTO A", "MAIN"),
                arguments("CSP/1 FROM MAIN TO", "MAIN"),
                arguments("CSP/1\nFROM MAIN TO CODER\nCTX C0", "MAIN"),
                arguments("CSP/1\nFROM: MAIN\tTo: CODER", "MAIN"),
                arguments("CSP/1\nFROM MAIN, TO CODER", "MAIN"),
                arguments("CSP/1\nFROM MAIN | TO CODER", "MAIN"),
                arguments("CSP/1\nFROM MAIN TOOL", "MAIN TOOL"),
                arguments("CSP/1\nFROM A,", "A,"),
                arguments("CSP/1\nFROM Road to Rome\nTO B\nINTENT TASK", "Road to Rome"),
                arguments("CSP/1\nFROM A|B\nINTENT TASK\n- to: B", "A|B"),
                arguments("CSP/1\nFROM A|B\nTOO B", "A"),
                arguments("CSP/1 FROM MAIN TOOL TO A", "MAIN TOOL"),
                arguments("CSP/1 NOFROM X\nFROM MAIN", "MAIN"),
                // Other white space than spaces and line feeds.
                arguments("CSP/1\nFROM\u00A0MAIN\nTO\u00A0A", "MAIN"),
                arguments("CSP/1\nFROM\u000BMAIN TO\nTO A", "MAIN TO"),
                arguments("CSP/1\n\u200BFROM \u3000MAIN\n\u200BTO A", "MAIN"),
                arguments("CSP/1\rFROM MAIN\rTO A\rCTX C0", "MAIN"),
                arguments("CSP/1\u2028FROM MAIN\u2028TO A", "MAIN"),
                arguments("CSP/1\nFROM MAIN\u0085TO A", "MAIN"),
                arguments("CSP/1\nFROM\u00E9 B\nFROM MAIN", "MAIN"),
                // JSON objects.
                arguments("{\"version\":\"CSP/1\",\"from\":\"MAIN\"}", "MAIN"),
                arguments("\uFEFF {\"version\" : \"CSP/1\", \"From\" : \"MAIN\"}", "MAIN"),
                arguments("{\"a\":\"x\\\"from\\\":\",\"FROM\":\"MAIN\"", "MAIN"),
                arguments("{\"from\":7,\"version\":\"CSP/1\",\"header\":{\"from\":\"MAIN\"}}", "MAIN"),
                arguments("{\"to\":\"from\",\"from\":\"MAIN\"}", "MAIN"),
                arguments("{\"FROM\":\"A, B\",\"from\":\"C\"}", "A, B"));
    }

    @ParameterizedTest
    @MethodSource
    void aMessageWithoutASenderClaimsNone(String wire) {
        assertThat(CspClaims.of(wire.getBytes(UTF_8))).isEqualTo(ClaimedNames.NONE);
    }

    static Stream<String> aMessageWithoutASenderClaimsNone() {
        return Stream.of(
                "",
                "\uFEFF",
                "CSP/1",
                "CSP/1 FROM ",
                "CSP/1|FROM |TO A",
                "CSP/1\nFROM",
                "CSP/1\nFROM \nFROM MAIN",
                "CSP/1\nTO MAIN",
                "CSP/1\nFROMAGE A",
                "CSP/1\nNO FROM A",
                // The sender precedes the message.
                "FROM MAIN\nCSP/1\nTO A",
                "{",
                "{\"from",
                "{\"from\"",
                "{\"from\":",
                "{\"from\":\"",
                "{\"from\":\"MAIN",
                "{\"from\":\"MA\\u0049N\"}",
                "{\"from\":\"MAIN\\\"",
                "{\"from\",\"MAIN\"}",
                "{\"from_\":\"MAIN\"}",
                "{\"FROM\":\"\",\"from\":\"MAIN\"}",
                "{\"text\":\"CSP/1\\nFROM MAIN\"}");
    }

    @Test
    void onlyTheFirst8KiBAreRead() {
        for (String start : new String[] {"CSP/1\n%sFROM ", "CSP/1\nNOTE %s\nFROM ", "{\"a\":\"%s\",\"from\":\""}) {
            String end = start.startsWith("{") ? "\"" : "\n";
            int length = start.length() - 2;
            String last = start.replace("%s", "\t".repeat(ClaimedNames.MAX_BYTES - length - 1 - end.length()));
            assertThat(CspClaims.of((last + "A" + end).getBytes(UTF_8)).sender())
                    .as(start)
                    .isEqualTo("A");
            String beyond = start.replace("%s", "\t".repeat(ClaimedNames.MAX_BYTES - length));
            assertThat(CspClaims.of((beyond + "A" + end).getBytes(UTF_8)))
                    .as(start)
                    .isEqualTo(ClaimedNames.NONE);
        }
    }
}
