package dev.parley.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Protocol;
import dev.parley.codec.Code;
import dev.parley.conformance.CodeGuide;
import dev.parley.conformance.ConformanceRun;
import dev.parley.conformance.ConformanceVector.Shown;
import dev.parley.conformance.InvalidVectorException;
import dev.parley.conformance.VectorHeader;
import dev.parley.decode.WireProtocol;
import dev.parley.decode.WireProtocols;
import dev.parley.diagnosis.ValueDiagnosis;
import dev.parley.json.model.Codes;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks that docs/codes.md matches {@link Code} and the remedies and examples of the {@link CodeGuide}. */
class CodesPageTest {
    private static final CodeGuide GUIDE = guide();
    private static final ProtocolsPage PROTOCOLS = ProtocolsPage.read();

    private static final String HEAD = """
            # Codes

            Parley attaches a code to every decode error, violation and warning. Codes are stable: a code is
            never renamed, and its meaning never changes. Codes appear in the audit records (`code`, `warnings`), in the
            header `parley.error.code` of dead letters, in the HTTP API, and in the output of `parley decode` and
            `parley judge`. [protocols.md](protocols.md) contains the rules. `parley explain CODE` prints the entries of
            this page.

            | Kind | Effect on the message |
            |---|---|
            | decode error | The bytes are not a message of the protocol. Recorded as UNDECODABLE; dead letter in `parley.dlq.decode.v1`. |
            | violation | The message is illegal in this dialogue state. Recorded as REJECTED; dead letter in `parley.dlq.judge.v1`. Under `dialogue.mode=observe`: recorded as FLAGGED and forwarded to `parley.message.v1`; the dialogue state does not change. |
            | patch violation | The patch cannot be applied. Recorded as REJECTED; dead letter in `parley.dlq.apply.v1`. Under `dialogue.mode=observe`: recorded as FLAGGED; it changes no checkpoint. |
            | format warning | Accepted; the audit record contains the code. Under `decode.profile=strict`: a decode error. |
            | warning | Accepted under both profiles; the audit record contains the code. |

            A message can have several warnings, but only one decode error or violation: the first one decides. Two
            codes change their kind: `CSP_FORK` by configuration and `LAMBDA_ERROR_LOOP` by repetition. `INTERNAL_ERROR`
            marks a record on which Parley itself failed, and `STATE_UNREADABLE` one whose conversation has a damaged
            state: both are in `parley.dlq.internal.v1`, without an audit record.

            The examples are vectors of the [conformance kit](conformance.md): a message, or the messages of a dialogue,
            with the verdict on each. They use the default settings unless they list others.

            This page is generated; [CONTRIBUTING.md](../CONTRIBUTING.md) describes how.
            """;

    private static final String NEAR_MISSES = """

            ## Near misses

            A text in one of these forms is nearly a message, so its decode error names the cause and the repair. In the
            texts, `↵` is a line feed, and `´` a backtick.

            | Protocol | Text | Error |
            |---|---|---|
            """;

    @Test
    void thePageMatchesTheCodes() {
        Pages.check("codes.md", page());
    }

    @ParameterizedTest
    @EnumSource(Code.class)
    void everyCodeHasARemedy(Code code) {
        assertThat(GUIDE.entry(code).remedy()).isNotBlank();
    }

    @ParameterizedTest
    @EnumSource(Code.class)
    void everyCodeHasAnExampleUnlessNoVectorCanShowIt(Code code) {
        assertThat(GUIDE.example(code).isEmpty()).isEqualTo(ConformanceRun.OUTSIDE.contains(code));
    }

    private static String page() {
        StringBuilder page = new StringBuilder(HEAD);
        for (Protocol protocol : Protocol.values()) {
            page.append("\n## ").append(title(protocol)).append("\n");
            for (Code code : Code.values()) {
                if (code.protocol() == protocol) {
                    write(code, page);
                }
            }
        }
        page.append(NEAR_MISSES);
        for (WireProtocol<?> protocol : WireProtocols.STANDARD.all()) {
            ValueDiagnosis.nearMisses(protocol)
                    .forEach((text, error) -> page.append("| ")
                            .append(protocol.name())
                            .append(" | `")
                            .append(visible(text))
                            .append("` | ")
                            .append(error.code())
                            .append(" at byte ")
                            .append(error.offset())
                            .append(": ")
                            .append(Pages.cell(error.detail()))
                            .append(" |\n"));
        }
        return page.toString();
    }

    /** A text in a cell of a table, with marks for line feeds and escapes of spaces beyond ASCII. */
    private static String visible(String text) {
        StringBuilder visible = new StringBuilder();
        for (char c : text.toCharArray()) {
            if (c == '\n') {
                visible.append('↵');
            } else if (c > 0x7F && Character.isSpaceChar(c)) {
                visible.append(String.format("\\u%04X", (int) c));
            } else {
                visible.append(c == '|' ? "\\|" : c == '`' ? "´" : String.valueOf(c));
            }
        }
        return visible.toString();
    }

    private static void write(Code code, StringBuilder page) {
        Codes.Description entry = GUIDE.entry(code);
        page.append("\n### ").append(entry.code()).append("\n\n");
        page.append(Pages.wrap("*" + capital(entry.kind()) + ".* " + Pages.cell(entry.meaning()) + " " + rule(entry)))
                .append("\n\n");
        GUIDE.example(code).ifPresent(example -> write(example, page));
        page.append(Pages.wrap("What to do: " + Pages.cell(entry.remedy()))).append("\n");
    }

    private static void write(VectorHeader example, StringBuilder page) {
        if (!example.settingsShown().isEmpty()) {
            page.append("With `")
                    .append(String.join("`, `", example.settingsShown()))
                    .append("`:\n\n");
        }
        for (Shown shown : example.shown()) {
            if (!shown.record().isEmpty()) {
                page.append("`").append(String.join("`, `", shown.record())).append("`\n\n");
            }
            page.append("```\n").append(shown.wire()).append("\n```\n");
            page.append("→ ").append(shown.outcome()).append("\n\n");
        }
    }

    private static String rule(Codes.Description entry) {
        String[] place = entry.section().split(" ", 2);
        return "([" + String.join(", ", place) + "](protocols.md#" + PROTOCOLS.anchor(place[0]) + "))";
    }

    private static String capital(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    private static String title(Protocol protocol) {
        return switch (protocol) {
            case UNKNOWN -> "Any protocol";
            case SLIP -> "SLIP v0.1";
            case SUBIT -> "SUBIT-Agent v1.0";
            case CSP -> "CSP/1";
            case LAMBDA -> "Λ v0.6";
            case MCP -> "MCP";
            case EXTENSION -> "Protocols without codes of their own";
        };
    }

    private static CodeGuide guide() {
        try {
            return CodeGuide.load(List.of(Code.values()));
        } catch (IOException | InvalidVectorException e) {
            throw new IllegalStateException(e);
        }
    }
}
