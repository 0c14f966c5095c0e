package dev.parley.items;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.TrackedItem;
import dev.parley.dialogue.StoredText;

/**
 * Items of SUBIT: a cycle is open from an agent's first INTENT or PLAN to the ACTION that closes its lane: the agent's
 * own, otherwise the lane opened or renewed last. An ERROR fails the sender's cycle. TRACE and ERROR end all others
 * without a result.
 */
public final class SubitItems implements ItemRules {
    @Override
    public String follow(OpenItems items, AuditRecord audit, String state) {
        AgentMessage message = audit.getMessage();
        String agent = message.getSender();
        StoredText name = new StoredText(agent);
        TrackedItem own = items.latest(item -> name.matches(item.getAgent()));
        switch (message.getSubit().getType()) {
            case INTENT, PLAN -> {
                if (own == null) {
                    items.open(ItemKind.CYCLE, null, agent, null, null);
                } else {
                    items.renew(own);
                }
            }
            case ACTION -> {
                items.close(own == null ? items.latest(item -> true) : own, ItemOutcome.RESULT, agent);
            }
            case ERROR -> {
                items.close(own, ItemOutcome.FAILED, agent);
                items.dropIf(item -> true);
            }
            case TRACE -> items.dropIf(item -> true);
            case STATE, UNKNOWN -> {
                // Lanes stay open.
            }
        }
        return null;
    }
}
