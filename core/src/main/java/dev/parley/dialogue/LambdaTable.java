package dev.parley.dialogue;

import dev.parley.avro.LambdaState;
import dev.parley.codec.Code;
import dev.parley.dialogue.Rule.Provenance;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The Λ machine (PROTOCOLS 4.3). The table stands here in the words of the page, in two halves for its width, and is read once. A cell is a
 * target state, "stay", or none; V or W and its code, or none; a remark in brackets; and on whose authority it stands.
 */
final class LambdaTable {
    static final String SECTION = "Λ 4.3";

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

    /** CMD_ACK × A holds for every assertion but a status report, {@code !st}. */
    private static final Cell STATUS_OF_COMMAND = cell(LambdaState.CMD_ACK, LambdaEvent.A, "CMD_ACK (status) I");

    private static final Map<LambdaState, Map<LambdaEvent, Cell>> CELLS = read();

    /**
     * One cell.
     *
     * @param target the state after the event; null beside a violation
     * @param violation why the event is illegal; null when it is legal
     * @param warning what is worth knowing; null when nothing is
     * @param rule how to cite the cell
     */
    record Cell(LambdaState target, Code violation, Code warning, Rule rule) {}

    private LambdaTable() {}

    /** The cell of an event, a status report apart. */
    static Cell cell(LambdaState state, LambdaEvent event) {
        return CELLS.get(state).get(event);
    }

    /** The cell of a status report, {@code !st}. */
    static Cell status(LambdaState state) {
        return state == LambdaState.CMD_ACK ? STATUS_OF_COMMAND : cell(state, LambdaEvent.A);
    }

    private static Map<LambdaState, Map<LambdaEvent, Cell>> read() {
        Map<LambdaState, Map<LambdaEvent, Cell>> cells = new EnumMap<>(LambdaState.class);
        for (LambdaState state : LambdaState.values()) {
            cells.put(state, new EnumMap<>(LambdaEvent.class));
        }
        read(STATEMENTS, cells);
        read(ANSWERS, cells);
        return Collections.unmodifiableMap(cells);
    }

    private static void read(String half, Map<LambdaState, Map<LambdaEvent, Cell>> cells) {
        List<String> lines = half.lines().toList();
        String[] columns = CellTable.cellsOf(lines.get(0));
        for (String line : lines.subList(1, lines.size())) {
            String[] row = CellTable.cellsOf(line);
            LambdaState state = LambdaState.valueOf(row[0]);
            for (int column = 1; column < columns.length; column++) {
                LambdaEvent event = LambdaEvent.valueOf(columns[column]);
                cells.get(state).put(event, cell(state, event, row[column]));
            }
        }
    }

    private static Cell cell(LambdaState state, LambdaEvent event, String text) {
        int bracket = text.indexOf('(');
        String remark = bracket < 0 ? "" : " " + text.substring(bracket + 1, text.indexOf(')'));
        String plain = bracket < 0 ? text : text.substring(0, bracket) + text.substring(text.indexOf(')') + 1);
        LambdaState target = null;
        Code code = null;
        Provenance provenance = null;
        for (String word : plain.strip().split(" +", -1)) {
            if (word.equals("S") || word.equals("I")) {
                provenance = Provenance.valueOf(word);
            } else if (word.startsWith("LAMBDA_")) {
                code = Code.of(word);
            } else if (!word.equals("V") && !word.equals("W")) {
                target = word.equals("stay") ? state : LambdaState.valueOf(word);
            }
        }
        String name = state + " × " + event + " → ";
        if (code != null && code.kind() == Code.Kind.VIOLATION) {
            return new Cell(null, code, null, new Rule(name + code, provenance, SECTION));
        }
        if (target == null) {
            // PROTOCOLS 5 "Λ machine": what it would be from IDLE, and acknowledgements stay.
            target = event.acknowledges() ? state : event.opens();
        }
        return new Cell(target, null, code, new Rule(name + target + remark, provenance, SECTION));
    }
}
