package dev.parley.cli.verify;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.parley.audit.AuditTrailVerifier;
import dev.parley.audit.ChainVerifier;

/**
 * Totals of a verification.
 *
 * @param records audit records
 * @param begunLate chains without their first records
 * @param heads published chain heads
 * @param signedHeads chain heads with a valid signature by a given key; without keys, those with any signature
 * @param redacted records without their payload because of a redaction
 * @param payloadsElsewhere records whose payload is only in the input topic because of its size
 * @param inputs inputs that no chain contains, by reason
 * @param manifests published manifests
 * @param uncovered records that no manifest covers yet
 * @param faults number of faults
 */
public record VerificationSummary(
        long records,
        long chains,
        long begunLate,
        long heads,
        long signedHeads,
        long redactions,
        long redacted,
        long payloadsElsewhere,
        Unrecorded inputs,
        long manifests,
        long uncovered,
        long faults) {

    /**
     * Inputs that no chain contains or needs to contain, by reason.
     *
     * @param inFlight inputs in the pipeline
     * @param parked parked patches
     * @param internal internal dead letters
     * @param expired inputs as old as expired audit records
     * @param unexplained offsets missing from an export: records of other chains, transaction markers, or lost records;
     *     only the topics show which
     * @param deleted offsets that were deleted before they were read, as the chains record
     */
    public record Unrecorded(long inFlight, long parked, long internal, long expired, long unexplained, long deleted) {
        /** No such inputs. */
        public static final Unrecorded NONE = new Unrecorded(0, 0, 0, 0, 0, 0);
    }

    static VerificationSummary of(AuditTrailVerifier trail, Unrecorded inputs, long faults) {
        ChainVerifier chains = trail.chains();
        return new VerificationSummary(
                chains.records(),
                chains.chains(),
                trail.begunLate(),
                chains.heads(),
                trail.signedHeads(),
                chains.redactions().events(),
                chains.redactions().redacted(),
                chains.payloadsElsewhere(),
                inputs,
                trail.journals().manifests(),
                trail.journals().uncovered(),
                faults);
    }

    /** Number of published chain heads that are not among {@link #signedHeads}. */
    @JsonProperty
    public long unsignedHeads() {
        return heads - signedHeads;
    }

    /** Whether there are no faults. */
    @JsonProperty("sound")
    public boolean isSound() {
        return faults == 0;
    }
}
