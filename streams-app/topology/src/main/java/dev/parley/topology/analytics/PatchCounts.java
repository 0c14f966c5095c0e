package dev.parley.topology.analytics;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.CspOperation;
import dev.parley.avro.Verdict;
import dev.parley.checkpoint.Checkpoints;
import dev.parley.checkpoint.PatchRule;
import dev.parley.codec.Symbols;
import dev.parley.topology.topics.Statistic;
import java.util.List;
import java.util.function.LongSupplier;

/** Counts patches, and the changes of definitions by those that were applied. */
final class PatchCounts {
    /** Maximum operations of one patch that have rows of their own. */
    static final int MAX_OPERATIONS = 1_000;

    private PatchCounts() {}

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
        Verdict verdict = Symbols.VERDICT.of(audit.getVerdict());
        boolean isAccepted = verdict == Verdict.ACCEPTED;
        boolean isBranch = isAccepted && cites(audit, PatchRule.FORK);
        boolean isApplied = isBranch || isAccepted && cites(audit, PatchRule.APPLIED);
        boolean isDuplicate =
                isAccepted && (cites(audit, PatchRule.DUPLICATE) || cites(audit, PatchRule.PARKED_ALREADY));
        long parkedMs = parkingTime.getAsLong();
        boolean isExpired = parkedMs > 0 && cites(audit, PatchRule.UNKNOWN_BASE);
        long[] counts = {
            1,
            isApplied ? 1 : 0,
            isDuplicate ? 1 : 0,
            isBranch ? 1 : 0,
            parkedMs > 0 && !isExpired ? 1 : 0,
            isExpired ? 1 : 0,
            parkedMs,
            parkedMs
        };
        String code = audit.getCode() == null ? null : MessageCounts.known(audit.getCode());
        sink.add(
                Dimensions.of(
                        Statistic.PATCHES, message.getNamespace(), message.getConversation(), verdict.name(), code),
                counts);
        if (isApplied) {
            countDefinitions(message, sink);
        }
    }

    private static boolean cites(AuditRecord audit, PatchRule rule) {
        return rule.rule().equals(audit.getRule());
    }

    private static void countDefinitions(AgentMessage message, CountSink sink) {
        List<CspOperation> operations = message.getCsp().getOperations();
        for (int i = 0; i < Math.min(operations.size(), MAX_OPERATIONS); i++) {
            sink.add(definition(message, operations.get(i).getName()), definitionCounts(operations.subList(i, i + 1)));
        }
        if (operations.size() > MAX_OPERATIONS) {
            sink.add(
                    definition(message, null).other(),
                    definitionCounts(operations.subList(MAX_OPERATIONS, operations.size())));
        }
    }

    private static Dimensions definition(AgentMessage message, String name) {
        return Dimensions.of(Statistic.DEFINITION_CHANGES, message.getNamespace(), message.getConversation(), name);
    }

    /** Returns all changes, and those that add, replace and remove a definition. */
    private static long[] definitionCounts(List<CspOperation> operations) {
        long[] counts = {operations.size(), 0, 0, 0};
        for (CspOperation operation : operations) {
            switch (operation.getOperator()) {
                case ADD -> counts[1]++;
                case CHANGE -> counts[2]++;
                case REMOVE -> counts[3]++;
                case UNKNOWN -> {
                    // Counted as a change only.
                }
            }
        }
        return counts;
    }
}
