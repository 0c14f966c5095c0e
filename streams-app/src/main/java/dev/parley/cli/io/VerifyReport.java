package dev.parley.cli.io;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.parley.avro.ExportScope;
import dev.parley.avro.ExportStart;
import dev.parley.json.AvroJson;
import dev.parley.trail.VerificationSummary;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;

/** What {@code parley verify} prints at the end: for a person, or for a program. */
public final class VerifyReport {
    private VerifyReport() {}

    public static void print(
            VerificationSummary verificationSummary, Optional<ExportStart> start, boolean keyed, PrintWriter out) {
        start.ifPresent(first -> out.println("export of " + first.getTime() + ": "
                + switch (first.getScope()) {
                    case EVERYTHING -> "everything";
                    case CHAIN -> "chain " + first.getChain();
                    case TIME_RANGE ->
                        "from " + first.getFrom() + " to " + first.getTo()
                                + "; what came before and after it is not shown";
                    case UNSPECIFIED -> "of what is not said";
                }));
        out.println(verificationSummary.records() + " records in " + verificationSummary.chains() + " chains"
                + some(
                        verificationSummary.begunLate(),
                        "chains begin later than at 0: what came before is not there to be verified"));
        out.println(verificationSummary.heads() + " published heads"
                + (keyed ? signatures(verificationSummary) : some(verificationSummary.signedHeads(), "signed")));
        out.println(verificationSummary.manifests() + " manifests"
                + some(
                        verificationSummary.uncovered(),
                        "records not yet covered by a " + (keyed ? "signed " : "") + "manifest"));
        start.filter(first -> first.getScope() != ExportScope.EVERYTHING)
                .ifPresent(first ->
                        out.println("an export of a part: whether chains are missing only the topics or an export of"
                                + " everything show"));
        line(out, verificationSummary.redactions(), "redactions recorded");
        line(out, verificationSummary.redacted(), "records without their payload, because it was redacted");
        line(
                out,
                verificationSummary.payloadsElsewhere(),
                "records whose payload only the input topic has: it was too large");
        VerificationSummary.Unrecorded inputs = verificationSummary.inputs();
        line(out, inputs.inFlight(), "inputs on their way, which no chain has yet");
        line(out, inputs.parked(), "inputs parked: patches that wait for their base");
        line(out, inputs.internal(), "inputs in the internal dead letters, which no chain has");
        line(out, inputs.expired(), "inputs as old as audit records that have expired");
        line(
                out,
                inputs.deleted(),
                "input offsets lost: deleted before they were read, as the chains record (INPUT_EXPIRED)");
        line(
                out,
                inputs.unexplained(),
                "input offsets not in the export: ends of transactions, parked patches, or chains that are gone; only"
                        + " the topics tell");
        out.println(conclusion(verificationSummary, keyed));
        out.flush();
    }

    private static String signatures(VerificationSummary verificationSummary) {
        return verificationSummary.unsignedHeads() == 0
                ? ", all signed by a given key"
                : ": " + verificationSummary.signedHeads() + " signed by a given key, "
                        + verificationSummary.unsignedHeads() + " not";
    }

    /** What the verification proves. */
    private static String conclusion(VerificationSummary verificationSummary, boolean keyed) {
        if (!verificationSummary.isSound()) {
            long faults = verificationSummary.faults();
            String unsigned = keyed && verificationSummary.unsignedHeads() > 0
                    ? ". A head without a signature proves nothing: see docs/audit.md, Heads"
                    : "";
            return "FAILED: " + faults + (faults == 1 ? " fault" : " faults") + unsigned;
        }
        return keyed
                ? "OK: no faults, signatures verified"
                : "OK: no faults. Signatures were not checked: without --key, this does not show that the trail was not"
                        + " recomputed.";
    }

    private static String some(long count, String what) {
        return count == 0 ? "" : ", " + count + " " + what;
    }

    private static void line(PrintWriter out, long count, String what) {
        if (count > 0) {
            out.println(count + " " + what);
        }
    }

    public static void json(
            VerificationSummary verificationSummary, Optional<ExportStart> start, boolean keyed, JsonGenerator json)
            throws IOException {
        json.writeStartObject();
        json.writeBooleanField("sound", verificationSummary.isSound());
        json.writeNumberField("faults", verificationSummary.faults());
        json.writeNumberField("records", verificationSummary.records());
        json.writeNumberField("chains", verificationSummary.chains());
        json.writeNumberField("begunLate", verificationSummary.begunLate());
        json.writeNumberField("heads", verificationSummary.heads());
        json.writeNumberField("signedHeads", verificationSummary.signedHeads());
        json.writeNumberField("unsignedHeads", verificationSummary.unsignedHeads());
        json.writeBooleanField("signaturesVerified", keyed);
        json.writeNumberField("manifests", verificationSummary.manifests());
        json.writeNumberField("uncovered", verificationSummary.uncovered());
        json.writeNumberField("redactions", verificationSummary.redactions());
        json.writeNumberField("redacted", verificationSummary.redacted());
        json.writeNumberField("payloadsElsewhere", verificationSummary.payloadsElsewhere());
        json.writeObjectFieldStart("inputs");
        json.writeNumberField("inFlight", verificationSummary.inputs().inFlight());
        json.writeNumberField("parked", verificationSummary.inputs().parked());
        json.writeNumberField("internal", verificationSummary.inputs().internal());
        json.writeNumberField("expired", verificationSummary.inputs().expired());
        json.writeNumberField("unexplained", verificationSummary.inputs().unexplained());
        json.writeNumberField("deleted", verificationSummary.inputs().deleted());
        json.writeEndObject();
        if (start.isPresent()) {
            json.writeFieldName("export");
            AvroJson.write(json, start.get());
        }
        JsonLines.end(json);
    }
}
