package dev.parley.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Protocol;
import dev.parley.codec.Code;
import dev.parley.conformance.BadVector;
import dev.parley.conformance.CodeGuide;
import dev.parley.conformance.ConformanceVector;
import dev.parley.conformance.ConformanceVector.Shown;
import dev.parley.conformance.KitRun;
import java.io.IOException;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Keeps docs/codes.md what the code says: names, kinds and meanings come from {@link Code}, what to do about each and an example from the
 * {@link CodeGuide}.
 */
class CodesPageTest {
    private static final CodeGuide GUIDE = guide();
    private static final ProtocolsPage PROTOCOLS = ProtocolsPage.read();

    private static final String HEAD = """
            # Codes

            Every fault, violation and warning that Parley puts on a message has a code. The names are stable: a code is never renamed and
            never gets another meaning. You meet them in the audit records (`code`, `warnings`), in the header `parley.error.code` of dead
            letters, in the HTTP API, and in the output of `parley decode` and `parley judge`. The rules behind them are in
            [protocols.md](protocols.md). `parley explain CODE` prints what stands here.

            | Kind | What becomes of the message |
            |---|---|
            | fault | The bytes are not a message of the protocol. Recorded as UNDECODABLE, sent to `parley.dlq.decode.v1`. |
            | violation | A message that is illegal where it stands. Recorded as REJECTED, sent to `parley.dlq.dialogue.v1`; under `dialogue.mode=observe` recorded as FLAGGED, and it passes. |
            | patch violation | A patch that cannot be applied. Recorded as REJECTED, sent to `parley.dlq.patch.v1`; under `dialogue.mode=observe` recorded as FLAGGED, and it passes, but changes no checkpoint. |
            | form warning | Accepted, the code stays on the record. Under `decode.profile=strict` a fault. |
            | warning | Accepted under both profiles, the code stays on the record. |

            A message can carry several warnings, but only one fault or violation: the first decides. Two codes change their kind:
            `CSP_FORK` by configuration and `LAMBDA_ERROR_LOOP` by repetition. `INTERNAL_ERROR` stands for a record on which Parley itself
            failed: it is in `parley.dlq.internal.v1`, without an audit record.

            The examples are vectors of the [conformance kit](conformance.md): the message, or the messages of a dialogue, with the verdict on each.
            They hold for the default settings unless others are named.

            This page is generated; [CONTRIBUTING.md](../CONTRIBUTING.md) says how.
            """;

    @Test
    void thePageSaysWhatTheCodesSay() {
        Pages.check("codes.md", page());
    }

    @ParameterizedTest
    @EnumSource(Code.class)
    void everyCodeHasARemedy(Code code) {
        assertThat(GUIDE.entry(code).remedy()).isNotBlank();
    }

    @ParameterizedTest
    @EnumSource(Code.class)
    void everyCodeHasAnExampleSaveThoseThatNoVectorCanShow(Code code) {
        assertThat(GUIDE.entry(code).example().isEmpty()).isEqualTo(KitRun.OUTSIDE.contains(code));
    }

    private static String page() {
        StringBuilder page = new StringBuilder(HEAD);
        for (Protocol protocol : Protocol.values()) {
            page.append("\n## ").append(title(protocol)).append("\n");
            for (Code code : Code.values()) {
                if (code.protocol() == protocol) {
                    write(GUIDE.entry(code), page);
                }
            }
        }
        return page.toString();
    }

    private static void write(CodeGuide.Entry entry, StringBuilder page) {
        page.append("\n### ").append(entry.code()).append("\n\n");
        page.append("*").append(capital(entry.kind())).append(".* ");
        page.append(Pages.cell(entry.code().meaning()))
                .append(" ")
                .append(rule(entry))
                .append("\n\n");
        entry.example().ifPresent(example -> write(example, page));
        page.append("What to do: ").append(Pages.cell(entry.remedy())).append("\n");
    }

    private static void write(ConformanceVector example, StringBuilder page) {
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

    private static String rule(CodeGuide.Entry entry) {
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
            case EXTENSION -> "Protocols without codes of their own";
        };
    }

    private static CodeGuide guide() {
        try {
            return CodeGuide.load();
        } catch (IOException | BadVector e) {
            throw new IllegalStateException(e);
        }
    }
}
