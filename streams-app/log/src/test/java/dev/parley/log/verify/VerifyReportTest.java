package dev.parley.log.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.avro.ExportScope;
import dev.parley.avro.ExportStart;
import dev.parley.json.ApiJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class VerifyReportTest {
    private static final Instant TIME = Instant.parse("2026-01-31T12:00:00Z");

    private static VerificationSummary summary(long faults) {
        return new VerificationSummary(
                2_498,
                374,
                0,
                new VerificationSummary.Coverage(5_402, 0, 0, 3, 3, TIME),
                0,
                0,
                0,
                0,
                new VerificationSummary.Unrecorded(0, 0, 0, 0, 0, 0),
                VerificationSummary.Compared.NONE,
                faults);
    }

    private static String text(VerificationSummary summary, boolean keyed) {
        return text(new VerifyReport(summary, keyed, null, null));
    }

    private static String text(VerifyReport report) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        report.print(out);
        out.flush();
        return text.toString();
    }

    @Test
    void theLastLineStatesWhatIsCovered() {
        assertThat(text(summary(0), true))
                .endsWith(
                        "OK: 2,498 of 5,402 records, 3 of 3 partitions, up to 2026-01-31T12:00:00Z, signatures verified"
                                + System.lineSeparator());
        assertThat(text(summary(63), true))
                .contains("FAILED: 63 faults in 2,498 of 5,402 records, 3 of 3 partitions")
                .doesNotContain("verified");
    }

    @Test
    void withoutAKeyItSaysThatSignaturesWereNotChecked() {
        assertThat(text(summary(0), false))
                .contains("OK: 2,498 of 5,402 records", ". Signatures were not checked: without --key")
                .doesNotContain("verified");
    }

    @Test
    void whatAnExportDoesNotProveIsNamed() {
        ExportStart chain = new ExportStart(1, TIME, ExportScope.CHAIN, "default|SLIP|1", null, null);
        assertThat(text(new VerifyReport(summary(0), true, false, chain)))
                .contains(
                        "chain default|SLIP|1",
                        "not proven: that the chain has no later records",
                        "OK: 2,498 of 5,402 records, the end of the chain not proven, 3 of 3 partitions");
        assertThat(text(new VerifyReport(summary(0), true, true, chain))).doesNotContain("not proven");
        ExportStart range = new ExportStart(1, TIME, ExportScope.TIME_RANGE, null, TIME, null);
        assertThat(text(new VerifyReport(summary(0), true, null, range)))
                .contains(
                        ": from 2026-01-31T12:00:00Z on",
                        "not proven: that no record further before or after belongs to the time range");
        range.setTo(TIME);
        assertThat(text(new VerifyReport(summary(0), true, null, range)))
                .contains(": from 2026-01-31T12:00:00Z to 2026-01-31T12:00:00Z");
        range.setFrom(null);
        range.setChain("default|SLIP|1");
        assertThat(text(new VerifyReport(summary(0), true, true, range)))
                .contains(": chain default|SLIP|1 before 2026-01-31T12:00:00Z");
        range.setTo(null);
        assertThat(text(new VerifyReport(summary(1), true, true, range))).doesNotContain("null");
    }

    @Test
    void theNameOfAChainIsNoLineOfTheReport() {
        ExportStart chain = new ExportStart(1, TIME, ExportScope.CHAIN, "a\nOK: all\u001b[8m\u202e", null, null);
        assertThat(text(new VerifyReport(summary(1), true, false, chain)).lines())
                .startsWith("export of 2026-01-31T12:00:00Z: chain a\\u000aOK: all\\u001b[8m\\u202e");
    }

    @Test
    void oneOfAKindIsNamedInTheSingular() {
        VerificationSummary.Unrecorded one = new VerificationSummary.Unrecorded(1, 1, 1, 1, 1, 1);
        VerificationSummary summary = new VerificationSummary(
                1,
                1,
                1,
                new VerificationSummary.Coverage(1, 1, 1, 1, -1, null),
                1,
                1,
                1,
                1,
                one,
                new VerificationSummary.Compared(1, 1),
                1);
        assertThat(text(summary, false).lines())
                .containsExactly(
                        "1 record in 1 chain, 1 chain beginning after sequence 0: earlier records are not included",
                        "1 redaction recorded",
                        "1 approval of a changed definition recorded",
                        "1 record without payload, because of a redaction",
                        "1 oversized record with the payload in the input topic only",
                        "1 record compared with the input",
                        "1 record whose input has expired",
                        "1 input in flight, in no chain yet",
                        "1 input parked: waiting for a base",
                        "1 input in the internal dead letters, in no chain",
                        "1 input as old as audit records that have expired",
                        "1 input offset lost: deleted unread, as the chains record (INPUT_EXPIRED)",
                        "1 input offset not in the export: transaction markers, parked patches or removed chains; only"
                                + " the topics show which",
                        "FAILED: 1 fault in 1 of 1 records, 1 only as hashes, 1 not yet covered by a head, 1 of unknown"
                                + " partitions");
    }

    @Test
    void theJsonHasTheSameNumbers() throws IOException {
        JsonNode read = new ObjectMapper().readTree(ApiJson.bytes(new VerifyReport(summary(63), true, null, null)));
        assertThat(read.fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder(
                        "sound",
                        "faults",
                        "records",
                        "chains",
                        "begunLate",
                        "coverage",
                        "signaturesVerified",
                        "redactions",
                        "approvals",
                        "redacted",
                        "payloadsElsewhere",
                        "inputs",
                        "compared");
        assertThat(read.at("/coverage/records").asLong()).isEqualTo(5_402);
        assertThat(read.at("/coverage/upTo").asText()).isEqualTo("2026-01-31T12:00:00Z");
    }
}
