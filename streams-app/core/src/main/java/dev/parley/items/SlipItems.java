package dev.parley.items;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.TrackedItem;
import dev.parley.codec.Code;

/**
 * Items of SLIP: a task is open from the message that makes it REQUESTED (a REQUEST, or the REJECT of a report) to the
 * one that makes it REPORTED, REJECTED or ERRORED.
 */
public final class SlipItems implements ItemRules {
    @Override
    public boolean areIdleAlone() {
        return true;
    }

    @Override
    public String follow(OpenItems items, AuditRecord audit, String state) {
        AgentMessage message = audit.getMessage();
        if (!audit.getWarnings().contains(Code.SLIP_DUPLICATE.name())) {
            follow(items, audit, message);
        }
        return null;
    }

    private static void follow(OpenItems items, AuditRecord audit, AgentMessage message) {
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
            case "REPORTED" -> items.close(open, ItemOutcome.RESULT, message.getSender());
            case "REJECTED" -> items.close(open, ItemOutcome.REFUSED, message.getSender());
            case "ERRORED" -> items.close(open, ItemOutcome.FAILED, message.getSender());
            default -> {
                // The task stays as it is.
            }
        }
    }
}
