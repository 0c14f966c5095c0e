package dev.parley.dialogue.lambda;

import dev.parley.avro.LambdaMessage;
import dev.parley.avro.LambdaState;
import dev.parley.avro.LambdaStatement;
import dev.parley.dialogue.TransitionTable.Cell;
import java.util.ArrayList;
import java.util.List;

/** The events of accepted Λ messages and their effect on the state, for readers of the audit trail. */
public final class LambdaSteps {
    private LambdaSteps() {}

    /** Returns the events of a message in order; empty if it has none. */
    public static List<LambdaEvent> events(LambdaMessage message) {
        return switch (message.getKind()) {
            case HANDSHAKE -> List.of(LambdaEvent.HS);
            case HANDSHAKE_REPLY -> List.of(LambdaEvent.HSR);
            case CONTEXT_ONLY -> List.of(LambdaEvent.CTX);
            case STATEMENTS -> ofStatements(message.getStatements());
            case DATA_ONLY, ENCRYPTED, FLOOR, UNKNOWN -> List.of();
        };
    }

    private static List<LambdaEvent> ofStatements(List<LambdaStatement> statements) {
        List<LambdaEvent> events = new ArrayList<>(statements.size());
        for (LambdaStatement statement : statements) {
            LambdaEvent event = LambdaEvent.of(statement.getKind());
            if (event != null) {
                events.add(event);
            }
        }
        return events;
    }

    /** Returns the state after an event; the state before it if the table has a violation there. */
    public static LambdaState after(LambdaState before, LambdaEvent event) {
        Cell<LambdaState> cell = LambdaTable.cell(before, event);
        return cell.violation() == null ? cell.target() : before;
    }
}
