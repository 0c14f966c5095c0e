package dev.parley.cli.io;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.parley.avro.ExportScope;
import dev.parley.avro.ExportStart;
import dev.parley.cli.verify.VerificationSummary;
import dev.parley.json.AvroJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;

/** Prints the summary of {@code parley verify}: as text or as JSON. */
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
                                + "; earlier and later records are not included";
                    case UNSPECIFIED -> "unknown scope";
                }));
        out.println(Counts.of(verificationSummary.records(), "record") + " in "
                + Counts.of(verificationSummary.chains(), "chain")
                + some(
                        verificationSummary.begunLate(),
                        "chain",
                        "beginning after sequence 0: earlier records are not included"));
        out.println(Counts.of(verificationSummary.heads(), "published head")
                + (keyed
                        ? signatures(verificationSummary)
                        : verificationSummary.signedHeads() == 0
                                ? ""
                                : ", " + verificationSummary.signedHeads() + " signed"));
        out.println(Counts.of(verificationSummary.manifests(), "manifest")
                + some(
                        verificationSummary.uncovered(),
                        "record",
                        "not yet covered by a " + (keyed ? "signed " : "") + "manifest"));
        start.filter(first -> first.getScope() != ExportScope.EVERYTHING)
                .ifPresent(first -> out.println(
                        "partial export: only the topics or a complete export show whether chains are missing"));
        line(out, verificationSummary.redactions(), "redaction", "recorded");
        line(out, verificationSummary.redacted(), "record", "without payload, because of a redaction");
        line(
                out,
                verificationSummary.payloadsElsewhere(),
                "oversized record",
                "with the payload in the input topic only");
        VerificationSummary.Unrecorded inputs = verificationSummary.inputs();
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
        out.println(conclusion(verificationSummary, keyed));
        out.flush();
    }

    private static String signatures(VerificationSummary verificationSummary) {
        return verificationSummary.unsignedHeads() == 0
                ? ", all signed by a given key"
                : ": " + verificationSummary.signedHeads() + " signed by a given key, "
                        + verificationSummary.unsignedHeads() + " not";
    }

    /** The last line: the result, and whether signatures were checked. */
    private static String conclusion(VerificationSummary verificationSummary, boolean keyed) {
        if (!verificationSummary.isSound()) {
            long faults = verificationSummary.faults();
            String unsigned = keyed && verificationSummary.unsignedHeads() > 0
                    ? ". A head without a signature proves nothing: see docs/audit.md, Heads"
                    : "";
            return "FAILED: " + Counts.of(faults, "fault") + unsigned;
        }
        return keyed
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
