package dev.parley.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Protocol;
import dev.parley.codec.Code;
import dev.parley.codec.Code.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Keeps docs/codes.md what the code says: names, kinds and meanings come from {@link Code}, what to do about each from remedies.properties beside this
 * class.
 */
class CodesPageTest {
    private static final Properties REMEDIES = remedies();

    private static final String HEAD = """
            # Codes

            Every fault, violation and warning that Parley puts on a message has a code. The names are stable: a code is never renamed and
            never gets another meaning. You meet them in the audit records (`code`, `warnings`), in the header `parley.error.code` of dead
            letters, in the HTTP API, and in the output of `parley decode` and `parley judge`. The rules behind them are in
            [protocols.md](protocols.md).

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

            This page is generated; [CONTRIBUTING.md](../CONTRIBUTING.md) says how.
            """;

    @Test
    void thePageSaysWhatTheCodesSay() {
        Pages.check("codes.md", page());
    }

    @Test
    void everyCodeHasARemedyAndEveryRemedyACode() {
        assertThat(REMEDIES.stringPropertyNames())
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(Code.values()).map(Code::name).toList());
    }

    private static String page() {
        StringBuilder page = new StringBuilder(HEAD);
        for (Protocol protocol : Protocol.values()) {
            page.append("\n## ").append(title(protocol)).append("\n\n");
            page.append("| Code | Kind | Meaning | What to do |\n|---|---|---|---|\n");
            for (Code code : Code.values()) {
                if (code.protocol() == protocol) {
                    page.append("| `")
                            .append(code)
                            .append("` | ")
                            .append(kind(code.kind()))
                            .append(" | ")
                            .append(Pages.cell(code.meaning()))
                            .append(" | ")
                            .append(Pages.cell(REMEDIES.getProperty(code.name(), "")))
                            .append(" |\n");
                }
            }
        }
        return page.toString();
    }

    private static String title(Protocol protocol) {
        return switch (protocol) {
            case UNKNOWN -> "Any protocol";
            case SLIP -> "SLIP v0.1";
            case SUBIT -> "SUBIT-Agent v1.0";
            case CSP -> "CSP/1";
            case LAMBDA -> "Λ v0.6";
        };
    }

    private static String kind(Kind kind) {
        return switch (kind) {
            case MALFORMED -> "fault";
            case VIOLATION -> "violation";
            case PATCH_VIOLATION -> "patch violation";
            case FORM_WARNING -> "form warning";
            case WARNING -> "warning";
        };
    }

    private static Properties remedies() {
        Properties remedies = new Properties();
        try (InputStream in = CodesPageTest.class.getResourceAsStream("remedies.properties")) {
            remedies.load(new InputStreamReader(in, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return remedies;
    }
}
