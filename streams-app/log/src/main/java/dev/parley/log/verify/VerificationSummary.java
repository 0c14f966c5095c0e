package dev.parley.log.verify;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.parley.log.AuditTrailVerifier;
import dev.parley.log.ChainVerifier;
import dev.parley.log.LogVerifier;
import java.time.Instant;
import java.util.List;

/**
 * Totals of a verification.
 *
 * @param records audit records that were verified
 * @param begunLate chains without their first records
 * @param coverage the part of the audit log that was verified
 * @param redacted records without their payload because of a redaction
 * @param payloadsElsewhere records whose payload is only in the input topic because of its size
 * @param inputs inputs that no chain contains, by reason
 * @param compared audit records whose input was looked up
 * @param faults number of faults
 */
public record VerificationSummary(
        long records,
        long chains,
        long begunLate,
        Coverage coverage,
        long redactions,
        long approvals,
        long redacted,
        long payloadsElsewhere,
        Unrecorded inputs,
        Compared compared,
        long faults) {

    /**
     * The part of the audit log that was verified.
     *
     * @param records records of all logs, from the heads and the records
     * @param omitted records for which only a hash stands
     * @param uncovered last records that no head covers yet
     * @param partitions logs that a head covers: with keys, a signed one
     * @param allPartitions logs that the statement lists; -1 without a statement
     * @param upTo time up to which the statement says that every log is complete; null unless it lists all logs
     */
    public record Coverage(
            long records,
            long omitted,
            long uncovered,
            int partitions,
            int allPartitions,
            @JsonInclude(JsonInclude.Include.NON_NULL) Instant upTo) {

        static Coverage of(LogVerifier logs, long uncovered) {
            List<LogVerifier.Coverage> all = logs.coverage();
            return new Coverage(
                    all.stream().mapToLong(LogVerifier.Coverage::size).sum(),
                    all.stream().mapToLong(LogVerifier.Coverage::omitted).sum(),
                    uncovered,
                    (int) all.stream().filter(LogVerifier.Coverage::isCovered).count(),
                    logs.partitions(),
                    logs.completeTo().orElse(null));
        }
    }

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
    public record Unrecorded(long inFlight, long parked, long internal, long expired, long unexplained, long deleted) {}

    /**
     * Audit records whose input was looked up.
     *
     * @param inputs records whose input exists
     * @param expired records whose input has expired
     */
    public record Compared(long inputs, long expired) {
        /** No records: an export has no inputs. */
        public static final Compared NONE = new Compared(0, 0);
    }

    /**
     * Totals of a trail.
     *
     * @param uncovered number of last records that no head covers yet
     */
    public static VerificationSummary of(
            AuditTrailVerifier trail, Unrecorded inputs, Compared compared, long uncovered, long faults) {
        ChainVerifier chains = trail.chains();
        return new VerificationSummary(
                chains.records(),
                chains.chains(),
                trail.begunLate(),
                Coverage.of(trail.logs(), uncovered),
                chains.redactions().events(),
                chains.redactions().approvals(),
                chains.redactions().redacted(),
                chains.payloadsElsewhere(),
                inputs,
                compared,
                faults);
    }

    /** Whether there are no faults. */
    @JsonProperty("sound")
    public boolean isSound() {
        return faults == 0;
    }
}
