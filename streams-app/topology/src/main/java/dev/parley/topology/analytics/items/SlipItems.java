package dev.parley.topology.analytics.items;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.TrackedItem;
import dev.parley.codec.Code;

/**
 * Items of SLIP: a task is open from the message that makes it REQUESTED (a REQUEST, or the REJECT of a report) to the
 * one that makes it REPORTED, REJECTED or ERRORED.
 */
final class SlipItems {
    private SlipItems() {}

    static void follow(OpenItems items, AuditRecord audit, AgentMessage message) {
        if (audit.getWarnings().contains(Code.SLIP_DUPLICATE.name())) {
            return;
        }
        Long task = message.getSlip().getTaskId();
        String id = task == null ? null : task.toString();
        TrackedItem open = items.named(id);
        if (open != null) {
            items.touch(open);
        }
        String after = audit.getRule() == null ? null : audit.getRule().getAfter();
        if (after == null) {
            return;
        }
        switch (after) {
            case "REQUESTED" -> {
                if (open == null) {
                    items.open(ItemKind.TASK, id, ItemTracker.recipients(message), message.getSender(), null);
                }
            }
            case "REPORTED" -> close(items, open, ItemOutcome.RESULT, message);
            case "REJECTED" -> close(items, open, ItemOutcome.REFUSED, message);
            case "ERRORED" -> close(items, open, ItemOutcome.FAILED, message);
            default -> {
                // The task stays as it is.
            }
        }
    }

    private static void close(OpenItems items, TrackedItem open, ItemOutcome outcome, AgentMessage message) {
        if (open != null) {
            items.close(open, outcome, message.getSender());
        }
    }
}
