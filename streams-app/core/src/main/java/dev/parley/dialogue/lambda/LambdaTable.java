package dev.parley.dialogue.lambda;

import dev.parley.avro.LambdaState;
import dev.parley.dialogue.TransitionTable;
import dev.parley.dialogue.TransitionTable.Cell;

/**
 * Transition table of Λ (docs/protocols.md 4.3), in two halves because of its width. A cell without a target leads
 * where the event leads from IDLE; acknowledgements keep the state.
 */
final class LambdaTable {
    static final String SECTION = "4.3";

    private static final String STATEMENTS = """
            | State     | HS                              | HSR                                        | CTX                        | Q                               | A                                 | C                                 | OFF                               |
            | IDLE      | HANDSHAKE S                     | V LAMBDA_HANDSHAKE_REPLY_WITHOUT_REQUEST I | CTX_PEND S                 | Q_PEND S                        | SAID S                            | CMD_PEND S                        | OFF_PEND S                        |
            | HANDSHAKE | HANDSHAKE W LAMBDA_UNEXPECTED I | IDLE S                                     | stay W LAMBDA_UNEXPECTED I | W LAMBDA_UNEXPECTED I           | W LAMBDA_UNEXPECTED I             | W LAMBDA_UNEXPECTED I             | W LAMBDA_UNEXPECTED I             |
            | CTX_PEND  | W LAMBDA_UNEXPECTED I           | V LAMBDA_HANDSHAKE_REPLY_WITHOUT_REQUEST I | CTX_PEND I                 | Q_PEND W LAMBDA_CTX_NOT_ACKED I | SAID W LAMBDA_CTX_NOT_ACKED I     | CMD_PEND W LAMBDA_CTX_NOT_ACKED I | OFF_PEND W LAMBDA_CTX_NOT_ACKED I |
            | Q_PEND    | W LAMBDA_UNEXPECTED I           | V LAMBDA_HANDSHAKE_REPLY_WITHOUT_REQUEST I | CTX_PEND I                 | Q_PEND W LAMBDA_UNEXPECTED I    | SAID S                            | W LAMBDA_UNEXPECTED I             | W LAMBDA_UNEXPECTED I             |
            | SAID      | W LAMBDA_UNEXPECTED I           | V LAMBDA_HANDSHAKE_REPLY_WITHOUT_REQUEST I | CTX_PEND I                 | Q_PEND I                        | SAID I                            | CMD_PEND I                        | OFF_PEND I                        |
            | CLARIFY   | W LAMBDA_UNEXPECTED I           | V LAMBDA_HANDSHAKE_REPLY_WITHOUT_REQUEST I | CTX_PEND S                 | Q_PEND I                        | SAID I                            | CMD_PEND I                        | OFF_PEND I                        |
            | CMD_PEND  | W LAMBDA_UNEXPECTED I           | V LAMBDA_HANDSHAKE_REPLY_WITHOUT_REQUEST I | CTX_PEND I                 | W LAMBDA_UNEXPECTED I           | SAID W LAMBDA_RESULT_BEFORE_ACK I | CMD_PEND W LAMBDA_UNEXPECTED I    | W LAMBDA_UNEXPECTED I             |
            | CMD_ACK   | W LAMBDA_UNEXPECTED I           | V LAMBDA_HANDSHAKE_REPLY_WITHOUT_REQUEST I | CMD_ACK I                  | CMD_ACK I                       | SAID S                            | CMD_PEND I                        | OFF_PEND I                        |
            | OFF_PEND  | W LAMBDA_UNEXPECTED I           | V LAMBDA_HANDSHAKE_REPLY_WITHOUT_REQUEST I | OFF_PEND I                 | Q_PEND I                        | OFF_PEND I                        | CMD_PEND I                        | W LAMBDA_OFFER_OVERLAP I          |
            """;

    private static final String ANSWERS = """
            | State     | ACK                               | AGR                               | DIS                               | CNT                               | CLR                               | ERR                                 |
            | IDLE      | V LAMBDA_ACK_WITHOUT_ANTECEDENT I | V LAMBDA_ACK_WITHOUT_ANTECEDENT I | V LAMBDA_ACK_WITHOUT_ANTECEDENT I | V LAMBDA_ACK_WITHOUT_ANTECEDENT I | V LAMBDA_ACK_WITHOUT_ANTECEDENT I | V LAMBDA_ERROR_WITHOUT_ANTECEDENT I |
            | HANDSHAKE | W LAMBDA_UNEXPECTED I             | IDLE I                            | IDLE I                            | V LAMBDA_ACK_WITHOUT_ANTECEDENT I | CLARIFY I                         | IDLE I                              |
            | CTX_PEND  | IDLE S                            | IDLE S                            | IDLE (refused) I                  | V LAMBDA_ACK_WITHOUT_ANTECEDENT I | CLARIFY I                         | CLARIFY S                           |
            | Q_PEND    | Q_PEND I                          | W LAMBDA_AGREE_TO_QUESTION I      | IDLE I                            | V LAMBDA_ACK_WITHOUT_ANTECEDENT I | CLARIFY I                         | CLARIFY S                           |
            | SAID      | IDLE S                            | IDLE S                            | IDLE I                            | OFF_PEND I                        | CLARIFY S                         | CLARIFY S                           |
            | CLARIFY   | IDLE I                            | IDLE I                            | IDLE I                            | V LAMBDA_ACK_WITHOUT_ANTECEDENT I | CLARIFY I                         | CLARIFY W LAMBDA_ERROR_LOOP I       |
            | CMD_PEND  | CMD_ACK S                         | CMD_ACK I                         | IDLE (refused) I                  | OFF_PEND I                        | CLARIFY I                         | CLARIFY S                           |
            | CMD_ACK   | W LAMBDA_UNEXPECTED I             | W LAMBDA_UNEXPECTED I             | V LAMBDA_DISAGREE_AFTER_ACK I     | V LAMBDA_DISAGREE_AFTER_ACK I     | CLARIFY I                         | IDLE (failed) I                     |
            | OFF_PEND  | IDLE (accept) I                   | IDLE (agreed) S                   | IDLE (refused) I                  | OFF_PEND (roles swap) S           | CLARIFY I                         | CLARIFY S                           |
            """;

    private static final TransitionTable.Reader<LambdaState, LambdaEvent> READER = TransitionTable.of(
                    SECTION, LambdaState.class, LambdaEvent.class)
            .citingOutcomes()
            // docs/protocols.md 4.3: the target from IDLE; acknowledgements keep the state.
            .withUnnamedTarget((state, event) -> event.acknowledges() ? state : event.opens());

    private static final TransitionTable<LambdaState, LambdaEvent> TABLE = READER.read(STATEMENTS, ANSWERS);

    /** CMD_ACK × A applies to every assertion except a status report, {@code !st}. */
    private static final Cell<LambdaState> STATUS_OF_COMMAND =
            READER.cell(LambdaState.CMD_ACK, LambdaEvent.A, "CMD_ACK (status) I");

    private LambdaTable() {}

    /** The cell of an event other than a status report. */
    static Cell<LambdaState> cell(LambdaState state, LambdaEvent event) {
        return TABLE.at(state, event);
    }

    /** The cell of a status report, {@code !st}. */
    static Cell<LambdaState> status(LambdaState state) {
        return state == LambdaState.CMD_ACK ? STATUS_OF_COMMAND : cell(state, LambdaEvent.A);
    }
}
