package dev.parley.conformance;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.CspMessage;
import dev.parley.avro.CspTask;
import dev.parley.avro.DialogueState;
import dev.parley.avro.SlipTask;
import dev.parley.pipeline.JudgedRecord;
import dev.parley.pipeline.Outcome;
import java.util.Objects;

/** The name of the state, as the tables of the protocol page have it, of the dialogue that a message belongs to. */
final class DialoguePosition {
    private DialoguePosition() {}

    /** Where the dialogue stands once the message was judged; null for what could not be decoded. */
    static String after(JudgedRecord record) {
        if (!(record.outcome() instanceof Outcome.OfMessage decided)) {
            return null;
        }
        AgentMessage message = decided.judged().message();
        DialogueState state = decided.judged().next();
        return switch (message.getProtocol()) {
            case SLIP -> slip(state, message.getSlip().getTaskId());
            case SUBIT ->
                state.getSubit() == null ? "START" : state.getSubit().getState().name();
            case CSP -> csp(state, message.getCsp());
            case LAMBDA ->
                state.getLambda() == null
                        ? "IDLE"
                        : state.getLambda().getState().name();
            case UNKNOWN -> null;
        };
    }

    private static String slip(DialogueState state, Long id) {
        if (state.getSlip() != null) {
            for (SlipTask task : state.getSlip().getTasks()) {
                if (Objects.equals(task.getTask(), id)) {
                    return task.getState().name();
                }
            }
        }
        return "NEW";
    }

    private static String csp(DialogueState state, CspMessage message) {
        String id = message.getErrorAt() != null ? message.getErrorAt() : message.getId();
        if (state.getCsp() != null) {
            for (CspTask task : state.getCsp().getTasks()) {
                if (task.getId().equals(id)) {
                    return task.getState().name();
                }
            }
        }
        return "NONE";
    }
}
