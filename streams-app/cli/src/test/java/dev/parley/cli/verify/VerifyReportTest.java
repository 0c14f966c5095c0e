package dev.parley.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.json.ApiJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class VerifyReportTest {
    private static VerificationSummary summary(long heads, long signed, long faults) {
        return new VerificationSummary(
                9, 3, 0, heads, signed, 0, 0, 0, VerificationSummary.Unrecorded.NONE, 2, 0, faults);
    }

    private static String text(VerificationSummary summary, boolean keyed) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        new VerifyReport(summary, keyed, null).print(out);
        out.flush();
        return text.toString();
    }

    @Test
    void withoutAKeyItSaysThatSignaturesWereNotChecked() {
        assertThat(text(summary(75, 70, 0), false))
                .contains("75 published heads, 70 signed")
                .contains("OK: no faults. Signatures were not checked")
                .doesNotContain("verified");
    }

    @Test
    void oneOfAKindIsNamedInTheSingular() {
        VerificationSummary.Unrecorded one = new VerificationSummary.Unrecorded(1, 1, 1, 1, 1, 1);
        assertThat(text(new VerificationSummary(1, 1, 1, 1, 1, 1, 1, 1, one, 1, 1, 1), false)
                        .lines())
                .containsExactly(
                        "1 record in 1 chain, 1 chain beginning after sequence 0: earlier records are not included",
                        "1 published head, 1 signed",
                        "1 manifest, 1 record not yet covered by a manifest",
                        "1 redaction recorded",
                        "1 record without payload, because of a redaction",
                        "1 oversized record with the payload in the input topic only",
                        "1 input in flight, in no chain yet",
                        "1 input parked: waiting for a base",
                        "1 input in the internal dead letters, in no chain",
                        "1 input as old as audit records that have expired",
                        "1 input offset lost: deleted unread, as the chains record (INPUT_EXPIRED)",
                        "1 input offset not in the export: transaction markers, parked patches or removed chains; only"
                                + " the topics show which",
                        "FAILED: 1 fault");
    }

    @Test
    void withAKeyItCountsHeadsWithAndWithoutItsSignature() throws IOException {
        assertThat(text(summary(75, 12, 63), true))
                .contains("75 published heads: 12 signed by a given key, 63 not")
                .contains("FAILED: 63 faults")
                .doesNotContain("verified");
        assertThat(text(summary(75, 75, 0), true))
                .contains("75 published heads, all signed by a given key")
                .contains("OK: no faults, signatures verified");
        assertThat(text(summary(75, 75, 1), true)).contains("FAILED: 1 fault\n");

        JsonNode read = new ObjectMapper().readTree(ApiJson.bytes(new VerifyReport(summary(75, 12, 63), true, null)));
        assertThat(read.fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder(
                        "sound",
                        "faults",
                        "records",
                        "chains",
                        "begunLate",
                        "heads",
                        "signedHeads",
                        "unsignedHeads",
                        "signaturesVerified",
                        "manifests",
                        "uncovered",
                        "redactions",
                        "redacted",
                        "payloadsElsewhere",
                        "inputs");
        assertThat(read.path("signedHeads").asLong()).isEqualTo(12);
        assertThat(read.path("unsignedHeads").asLong()).isEqualTo(63);
    }
}
