package dev.parley.log.verify;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.avro.ExportScope;
import dev.parley.avro.ExportStart;
import dev.parley.codec.ControlCharacters;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;

/**
 * The report of {@code parley verify}, as text or, with the members as keys, as JSON.
 *
 * @param signaturesVerified whether signatures were checked with given keys
 * @param chainEndProven whether the last record of an exported chain is proven, or that of its time range; null without
 *     a chain
 * @param export first entry of the export; null for the topics, and if it is missing
 */
public record VerifyReport(
        @JsonUnwrapped VerificationSummary summary,
        boolean signaturesVerified,
        @JsonInclude(JsonInclude.Include.NON_NULL) Boolean chainEndProven,
        @JsonInclude(JsonInclude.Include.NON_NULL) ExportStart export) {

    /** Prints text for a person. */
    public void print(PrintWriter out) {
        print(out, "signatures verified");
    }

    /**
     * Prints text for a person.
     *
     * @param verified says in the last line that the signatures were verified, and with which keys
     */
    public void print(PrintWriter out, String verified) {
        Optional<ExportStart> start = Optional.ofNullable(export);
        start.ifPresent(first -> out.println("export of " + first.getTime() + ": "
                + switch (first.getScope()) {
                    case EVERYTHING -> "everything";
                    case CHAIN -> chain(first);
                    case TIME_RANGE -> (first.getChain() == null ? "" : chain(first) + " ") + range(first);
                    case UNSPECIFIED -> "unknown scope";
                }));
        out.println(counted(summary.records(), "record") + " in "
                + counted(summary.chains(), "chain")
                + some(summary.begunLate(), "chain", "beginning after sequence 0: earlier records are not included"));
        start.ifPresent(first -> printLimits(first, out));
        line(out, summary.redactions(), "redaction", "recorded");
        line(out, summary.approvals(), "approval", "of a changed definition recorded");
        line(out, summary.redacted(), "record", "without payload, because of a redaction");
        line(out, summary.payloadsElsewhere(), "oversized record", "with the payload in the input topic only");
        line(out, summary.compared().inputs(), "record", "compared with the input");
        line(out, summary.compared().expired(), "record", "whose input has expired");
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
        out.println(conclusion(verified));
        out.flush();
    }

    /** The chain, whose name an agent chooses. */
    private static String chain(ExportStart start) {
        return "chain " + (start.getChain() == null ? "" : ControlCharacters.escape(start.getChain()));
    }

    private static String range(ExportStart start) {
        if (start.getFrom() == null) {
            return start.getTo() == null ? "in a time range without begin and end" : "before " + start.getTo();
        }
        return "from " + start.getFrom() + (start.getTo() == null ? " on" : " to " + start.getTo());
    }

    /** What an export of this scope does not prove. */
    private void printLimits(ExportStart first, PrintWriter out) {
        if (first.getScope() == ExportScope.TIME_RANGE) {
            out.println("not proven: that no record further before or after belongs to the time range, out of the order"
                    + " of times");
        }
        if (Boolean.FALSE.equals(chainEndProven)) {
            out.println("not proven: that the chain has no later records (parley export --sign proves it)");
        }
    }

    /** The last line: the result, and whether signatures were checked. */
    private String conclusion(String verified) {
        VerificationSummary.Coverage coverage = summary.coverage();
        String covered = String.format(
                Locale.ROOT,
                "%,d of %,d records%s%s%s, %d of %s partitions%s",
                summary.records(),
                coverage.records(),
                coverage.omitted() == 0 ? "" : String.format(Locale.ROOT, ", %,d only as hashes", coverage.omitted()),
                coverage.uncovered() == 0
                        ? ""
                        : String.format(Locale.ROOT, ", %,d not yet covered by a head", coverage.uncovered()),
                Boolean.FALSE.equals(chainEndProven) ? ", the end of the chain not proven" : "",
                coverage.partitions(),
                coverage.allPartitions() < 0 ? "unknown" : Integer.toString(coverage.allPartitions()),
                coverage.upTo() == null ? "" : ", up to " + coverage.upTo());
        if (!summary.isSound()) {
            return "FAILED: " + counted(summary.faults(), "fault") + " in " + covered;
        }
        return "OK: " + covered
                + (signaturesVerified
                        ? ", " + verified
                        : ". Signatures were not checked: without --key, this does not show that the trail was not"
                                + " recomputed.");
    }

    /** The number and the noun, which takes an s unless the number is 1. */
    private static String counted(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    private static String some(long count, String noun, String what) {
        return count == 0 ? "" : ", " + counted(count, noun) + " " + what;
    }

    private static void line(PrintWriter out, long count, String noun, String what) {
        if (count > 0) {
            out.println(counted(count, noun) + " " + what);
        }
    }
}
