package dev.parley.topology.analytics;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.PatchCount;
import dev.parley.avro.Verdict;
import dev.parley.checkpoint.Checkpoints;
import dev.parley.checkpoint.PatchRule;
import dev.parley.codec.Symbols;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * The dimensions of a count of patches. Its counts are the patches, those applied, duplicates, branches, released and
 * expired ones, and the sum and the maximum of the parking times.
 *
 * @param code code that decided the verdict; null if accepted
 * @param isOther whether they count patches beyond the maximum number of rows
 */
record PatchDimensions(String namespace, String context, Verdict verdict, String code, boolean isOther)
        implements Dimensions {

    /** Index of the maximum in the counts. */
    static final int MAX = 7;

    private static final String TRUE = "1";

    /**
     * Counts a patch.
     *
     * @param parkingTime returns the time between the patch and its verdict, in milliseconds; 0 if it was not parked
     */
    static void count(AuditRecord audit, LongSupplier parkingTime, CountSink sink) {
        AgentMessage message = audit.getMessage();
        if (message == null || !Checkpoints.isPatch(message)) {
            return;
        }
        long parkedMs = parkingTime.getAsLong();
        boolean isExpired = parkedMs > 0 && cites(audit, PatchRule.UNKNOWN_BASE);
        long[] counts = {
            1,
            isApplied(audit) ? 1 : 0,
            isAccepted(audit) && (cites(audit, PatchRule.DUPLICATE) || cites(audit, PatchRule.PARKED_ALREADY)) ? 1 : 0,
            isAccepted(audit) && cites(audit, PatchRule.FORK) ? 1 : 0,
            parkedMs > 0 && !isExpired ? 1 : 0,
            isExpired ? 1 : 0,
            parkedMs,
            parkedMs
        };
        sink.add(
                new PatchDimensions(
                        message.getNamespace(),
                        message.getConversation(),
                        Symbols.VERDICT.of(audit.getVerdict()),
                        audit.getCode() == null ? null : ViolationDimensions.known(audit.getCode()),
                        false),
                counts);
    }

    /** Returns whether the message of a record is a patch that made a checkpoint. */
    static boolean isApplied(AuditRecord audit) {
        return isAccepted(audit)
                && Checkpoints.isPatch(audit.getMessage())
                && (cites(audit, PatchRule.APPLIED) || cites(audit, PatchRule.FORK));
    }

    private static boolean isAccepted(AuditRecord audit) {
        return Symbols.VERDICT.of(audit.getVerdict()) == Verdict.ACCEPTED;
    }

    private static boolean cites(AuditRecord audit, PatchRule rule) {
        return rule.rule().equals(audit.getRule());
    }

    @Override
    public String toKey() {
        return KeyFields.join(
                CountKind.PATCH.prefix(), isOther ? TRUE : null, verdict.name(), code, namespace, context);
    }

    static PatchDimensions of(String key) {
        KeyFields fields = new KeyFields(key, CountKind.PATCH.prefix());
        boolean isOther = fields.next() != null;
        Verdict verdict = Verdict.valueOf(fields.next());
        String code = fields.next();
        String namespace = fields.next();
        return new PatchDimensions(namespace, fields.next(), verdict, code, isOther);
    }

    @Override
    public PatchDimensions other() {
        return new PatchDimensions(OTHER, OTHER, verdict, code, true);
    }

    @Override
    public PatchCount row(Instant start, long[] counts, boolean late) {
        return PatchCount.newBuilder()
                .setWindowStart(start)
                .setWindowEnd(start.plus(TrafficTopology.WINDOW))
                .setNamespace(namespace)
                .setContext(context)
                .setVerdict(verdict.name())
                .setCode(code)
                .setPatches(counts[0])
                .setApplied(counts[1])
                .setDuplicates(counts[2])
                .setBranches(counts[3])
                .setReleased(counts[4])
                .setExpired(counts[5])
                .setTotalParkedMs(counts[6])
                .setMaxParkedMs(counts[MAX])
                .setLate(late)
                .setOther(isOther)
                .build();
    }
}
