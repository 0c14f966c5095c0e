package dev.parley.items;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.LambdaState;
import dev.parley.avro.Rule;
import dev.parley.avro.TrackedItem;
import dev.parley.dialogue.StoredText;
import dev.parley.dialogue.lambda.LambdaEvent;
import dev.parley.dialogue.lambda.LambdaRelay;
import dev.parley.dialogue.lambda.LambdaSteps;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Items of Λ: an agent's question or offer, until its next one replaces it.
 *
 * <ul>
 *   <li>An assertion of another agent answers a question.
 *   <li>In OFF_PEND, agreement or acknowledgement accepts the offer of the other side that the message names, otherwise
 *       the latest; disagreement and counter-offer refuse it; an error fails it. An agreement also accepts an offer
 *       after its clarification (CLARIFY, CTX_PEND).
 *   <li>In Q_PEND, disagreement refuses the named or latest question of the other side, and an error fails it.
 *   <li>Offers end with the return to IDLE. Questions stay open.
 * </ul>
 */
public final class LambdaItems implements ItemRules {

    /** @return name of the state after the message */
    @Override
    public String follow(OpenItems items, AuditRecord audit, String state) {
        AgentMessage message = audit.getMessage();
        LambdaMessage lambda = message.getLambda();
        List<LambdaEvent> events = LambdaSteps.events(lambda);
        Rule last = audit.getRule();
        LambdaState before = named(state, LambdaState.IDLE);
        if (events.size() == 1 && last != null) {
            before = named(last.getBefore(), before);
        }
        for (LambdaEvent event : events) {
            LambdaState after = LambdaSteps.after(before, event);
            follow(items, message, event, before);
            if (after == LambdaState.IDLE) {
                items.dropIf(item -> is(item, ItemKind.OFFER));
            }
            before = after;
        }
        return (last == null ? before : named(last.getAfter(), before)).name();
    }

    private static void follow(OpenItems items, AgentMessage message, LambdaEvent event, LambdaState before) {
        switch (event) {
            case Q -> open(items, ItemKind.QUESTION, message);
            case OFF -> open(items, ItemKind.OFFER, message);
            case A -> answer(items, message);
            case AGR, ACK -> {
                boolean clarified = before == LambdaState.CLARIFY || before == LambdaState.CTX_PEND;
                if (before == LambdaState.OFF_PEND || event == LambdaEvent.AGR && clarified) {
                    settle(items, ItemKind.OFFER, message, ItemOutcome.RESULT);
                }
            }
            case DIS, CNT, ERR -> {
                ItemOutcome outcome = event == LambdaEvent.ERR ? ItemOutcome.FAILED : ItemOutcome.REFUSED;
                if (before == LambdaState.OFF_PEND) {
                    settle(items, ItemKind.OFFER, message, outcome);
                } else if (before == LambdaState.Q_PEND) {
                    settle(items, ItemKind.QUESTION, message, outcome);
                }
                if (event == LambdaEvent.CNT) {
                    open(items, ItemKind.OFFER, message);
                }
            }
            case HS, HSR, CTX, C, CLR -> {
                // Neither opens nor closes an item.
            }
        }
    }

    /** Opens an item in place of the sender's earlier one. A further leg of a relay opens none. */
    private static void open(OpenItems items, ItemKind kind, AgentMessage message) {
        boolean anyRelayed = items.latest(item -> item.getRelayed() != null) != null;
        ByteBuffer relayed = !message.getLambda().getRelay().isEmpty() || anyRelayed ? LambdaRelay.hash(message) : null;
        if (relayed != null && items.latest(item -> relayed.equals(item.getRelayed())) != null) {
            return;
        }
        StoredText sender = new StoredText(message.getSender());
        items.dropIf(item -> sender.matches(item.getRequester()));
        items.open(kind, message.getLambda().getId(), ItemTracker.recipients(message), message.getSender(), relayed);
    }

    private static void answer(OpenItems items, AgentMessage message) {
        for (TrackedItem item : List.copyOf(items.all())) {
            if (is(item, ItemKind.QUESTION) && fromOtherSide(item, message)) {
                items.close(item, ItemOutcome.RESULT, message.getSender());
            }
        }
    }

    private static void settle(OpenItems items, ItemKind kind, AgentMessage message, ItemOutcome outcome) {
        TrackedItem settled = null;
        if (message.getReplyTo() != null) {
            StoredText named = new StoredText(message.getReplyTo());
            settled = items.latest(
                    item -> is(item, kind) && fromOtherSide(item, message) && named.matches(item.getItem()));
        }
        if (settled == null) {
            settled = items.latest(item -> is(item, kind) && fromOtherSide(item, message));
        }
        items.close(settled, outcome, message.getSender());
    }

    private static boolean is(TrackedItem item, ItemKind kind) {
        return item.getKind().equals(kind.name());
    }

    private static boolean fromOtherSide(TrackedItem item, AgentMessage message) {
        String sender = message.getSender();
        return sender == null || !new StoredText(sender).matches(item.getRequester());
    }

    /** Returns the state of this name; the other one if the text is no state. */
    private static LambdaState named(String name, LambdaState other) {
        for (LambdaState state : LambdaState.values()) {
            if (state.name().equals(name)) {
                return state;
            }
        }
        return other;
    }
}
