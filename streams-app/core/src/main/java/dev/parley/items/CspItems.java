package dev.parley.items;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.CspIntent;
import dev.parley.avro.CspMessage;
import dev.parley.avro.TrackedItem;
import dev.parley.codec.Code;

/**
 * Items of CSP: a task or query is open from the message that makes it OPEN to the one that makes it DONE, FAILED or
 * ERRORED. A partial result leaves it open.
 */
public final class CspItems implements ItemRules {
    @Override
    public boolean areIdleAlone() {
        return true;
    }

    @Override
    public String follow(OpenItems items, AuditRecord audit, String state) {
        follow(items, audit, audit.getMessage());
        return null;
    }

    private static void follow(OpenItems items, AuditRecord audit, AgentMessage message) {
        CspMessage csp = message.getCsp();
        String id = csp.getIntent() == CspIntent.ERROR ? csp.getErrorAt() : csp.getId();
        if (id == null || id.isEmpty() || audit.getWarnings().contains(Code.CSP_DUPLICATE.name())) {
            return;
        }
        switch (csp.getIntent()) {
            case TASK, QUERY, RESULT, ERROR -> {
                // The only intents that change a task.
            }
            case PLAN, PATCH, FILE, MEM, UNKNOWN -> {
                return;
            }
        }
        String after = audit.getRule() == null ? null : audit.getRule().getAfter();
        if (after == null) {
            return;
        }
        TrackedItem open = items.named(id);
        switch (after) {
            case "OPEN" -> {
                if (open == null) {
                    open(items, csp, message);
                }
            }
            case "PARTIAL" -> {
                if (open != null) {
                    items.touch(open);
                }
            }
            case "DONE" -> items.close(open, ItemOutcome.RESULT, message.getSender());
            case "FAILED", "ERRORED" -> items.close(open, ItemOutcome.FAILED, message.getSender());
            default -> {
                // No task is concerned.
            }
        }
    }

    private static void open(OpenItems items, CspMessage csp, AgentMessage message) {
        items.open(
                csp.getIntent() == CspIntent.QUERY ? ItemKind.QUERY : ItemKind.TASK,
                csp.getId(),
                csp.getOwner() == null ? csp.getRecipient() : csp.getOwner(),
                message.getSender(),
                null);
    }
}
