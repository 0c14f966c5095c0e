package dev.parley.trail;

import dev.parley.audit.AuditTrail;
import dev.parley.audit.ChainVerifier;

/**
 * What a verification has looked at, beside the faults that it has told.
 *
 * @param records audit records
 * @param chains chains
 * @param begunLate chains whose first records were not there to be looked at
 * @param heads published heads
 * @param signedHeads heads with a signature
 * @param redactions redactions that the chains record
 * @param redacted records without their payload because of one
 * @param payloadsElsewhere records whose payload only the input topic has, because it was too large
 * @param inputs what became of the inputs that no chain has
 * @param manifests published manifests
 * @param uncovered records that no manifest covers yet
 * @param faults number of faults
 */
public record Found(
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
     * Inputs that no chain has, and need not have.
     *
     * @param inFlight on their way through the pipeline
     * @param parked patches that wait for their base
     * @param internal in the dead letters of failures that nobody foresaw
     * @param expired as old as audit records that have expired
     * @param unexplained offsets that are not in an export: other chains' records, transaction markers, or lost; only the topics tell
     * @param deleted offsets that were deleted before they were read, as the chains record
     */
    public record Unrecorded(long inFlight, long parked, long internal, long expired, long unexplained, long deleted) {
        /** None. */
        public static final Unrecorded NONE = new Unrecorded(0, 0, 0, 0, 0, 0);
    }

    static Found of(AuditTrail trail, Unrecorded inputs, long faults) {
        ChainVerifier chains = trail.chains();
        return new Found(
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

    /** Whether nothing is wrong. */
    public boolean isSound() {
        return faults == 0;
    }
}
