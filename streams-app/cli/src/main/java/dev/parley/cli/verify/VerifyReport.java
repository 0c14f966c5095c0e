package dev.parley.cli.verify;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.avro.ExportScope;
import dev.parley.avro.ExportStart;
import dev.parley.cli.io.Counts;
import java.io.PrintWriter;
import java.util.Optional;

/**
 * The report of {@code parley verify}, as text or, with the members as keys, as JSON.
 *
 * @param signaturesVerified whether signatures were checked with given keys
 * @param export first entry of the export; null for the topics, and if it is missing
 */
public record VerifyReport(
        @JsonUnwrapped VerificationSummary summary,
        boolean signaturesVerified,
        @JsonInclude(JsonInclude.Include.NON_NULL) ExportStart export) {

    /** Prints text for a person. */
    public void print(PrintWriter out) {
        Optional<ExportStart> start = Optional.ofNullable(export);
        start.ifPresent(first -> out.println("export of " + first.getTime() + ": "
                + switch (first.getScope()) {
                    case EVERYTHING -> "everything";
                    case CHAIN -> "chain " + first.getChain();
                    case TIME_RANGE ->
                        "from " + first.getFrom() + " to " + first.getTo()
                                + "; earlier and later records are not included";
                    case UNSPECIFIED -> "unknown scope";
                }));
        out.println(Counts.of(summary.records(), "record") + " in "
                + Counts.of(summary.chains(), "chain")
                + some(summary.begunLate(), "chain", "beginning after sequence 0: earlier records are not included"));
        out.println(Counts.of(summary.heads(), "published head")
                + (signaturesVerified
                        ? signatures()
                        : summary.signedHeads() == 0 ? "" : ", " + summary.signedHeads() + " signed"));
        out.println(Counts.of(summary.manifests(), "manifest")
                + some(
                        summary.uncovered(),
                        "record",
                        "not yet covered by a " + (signaturesVerified ? "signed " : "") + "manifest"));
        start.filter(first -> first.getScope() != ExportScope.EVERYTHING)
                .ifPresent(first -> out.println(
                        "partial export: only the topics or a complete export show whether chains are missing"));
        line(out, summary.redactions(), "redaction", "recorded");
        line(out, summary.redacted(), "record", "without payload, because of a redaction");
        line(out, summary.payloadsElsewhere(), "oversized record", "with the payload in the input topic only");
        VerificationSummary.Unrecorded inputs = summary.inputs();
        line(out, inputs.inFlight(), "input", "in flight, in no chain yet");
        line(out, inputs.parked(), "input", "parked: waiting for a base");
        line(out, inputs.internal(), "input", "in the internal dead letters, in no chain");
        line(out, inputs.expired(), "input", "as old as audit records that have expired");
        line(out, inputs.deleted(), "input offset", "lost: deleted unread, as the chains record (INPUT_EXPIRED)");
        line(
                out,
                inputs.unexplained(),
                "input offset",
                "not in the export: transaction markers, parked patches or removed chains; only the topics show which");
        out.println(conclusion());
        out.flush();
    }

    private String signatures() {
        return summary.unsignedHeads() == 0
                ? ", all signed by a given key"
                : ": " + summary.signedHeads() + " signed by a given key, " + summary.unsignedHeads() + " not";
    }

    /** The last line: the result, and whether signatures were checked. */
    private String conclusion() {
        if (!summary.isSound()) {
            long faults = summary.faults();
            String unsigned = signaturesVerified && summary.unsignedHeads() > 0
                    ? ". A head without a signature proves nothing: see docs/audit.md, Heads"
                    : "";
            return "FAILED: " + Counts.of(faults, "fault") + unsigned;
        }
        return signaturesVerified
                ? "OK: no faults, signatures verified"
                : "OK: no faults. Signatures were not checked: without --key, this does not show that the trail was not"
                        + " recomputed.";
    }

    private static String some(long count, String noun, String what) {
        return count == 0 ? "" : ", " + Counts.of(count, noun) + " " + what;
    }

    private static void line(PrintWriter out, long count, String noun, String what) {
        if (count > 0) {
            out.println(Counts.of(count, noun) + " " + what);
        }
    }
}
