package dev.parley.dialogue;

import static dev.parley.avro.CspTaskState.DONE;
import static dev.parley.avro.CspTaskState.ERRORED;
import static dev.parley.avro.CspTaskState.FAILED;
import static dev.parley.avro.CspTaskState.NONE;
import static dev.parley.avro.CspTaskState.OPEN;
import static dev.parley.avro.CspTaskState.PARTIAL;
import static dev.parley.codec.Code.CSP_DUPLICATE_TASK_ID;
import static dev.parley.codec.Code.CSP_ERROR_AFTER_CLOSE;
import static dev.parley.codec.Code.CSP_ERROR_AT_UNKNOWN;
import static dev.parley.codec.Code.CSP_RESULT_AFTER_CLOSE;
import static dev.parley.codec.Code.CSP_RESULT_AFTER_ERROR;
import static dev.parley.codec.Code.CSP_RESULT_WITHOUT_TASK;
import static dev.parley.codec.Code.CSP_TASK_ID_REUSED;
import static dev.parley.codec.Code.CSP_TASK_RETRIED;
import static dev.parley.dialogue.Rule.Provenance.I;
import static dev.parley.dialogue.Rule.Provenance.S;

import dev.parley.avro.CspTaskState;
import dev.parley.codec.Code;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The task machine of CSP/1 (PROTOCOLS 3.3a), row by row as the page has it. Duplicates and the role check come before it. */
final class CspTaskTable {
    static final String SECTION = "CSP 3.3a";

    /** The columns of the table. */
    enum Event {
        OPENING("TASK or QUERY"),
        RESULT_OK("RESULT OK"),
        RESULT_PARTIAL("RESULT PARTIAL"),
        RESULT_FAIL("RESULT FAIL"),
        ERROR("ERROR"),
        OTHER("PLAN, MEM or FILE");

        private final String label;

        Event(String label) {
            this.label = label;
        }
    }

    /**
     * What the table says of one event in one state.
     *
     * @param next where the task stands afterwards; after a violation where it stood
     * @param violation why the event is illegal; null when it is legal
     * @param warning what is unusual about it; null when nothing is
     * @param rule the citation of this cell
     */
    record Cell(CspTaskState next, Code violation, Code warning, Rule rule) {}

    /** A cell before it knows its place. A next state of null stands for the row's own. */
    private record Draft(CspTaskState next, Code violation, Code warning, Rule.Provenance provenance) {
        Draft warn(Code code) {
            return new Draft(next, violation, code, provenance);
        }

        Cell in(CspTaskState state, Event event) {
            CspTaskState target = next == null ? state : next;
            String outcome = violation == null ? target.name() : violation.name();
            return new Cell(
                    target,
                    violation,
                    warning,
                    new Rule(state + " × " + event.label + " → " + outcome, provenance, SECTION));
        }
    }

    // The cells, by their letter on the page: S and I tell who says so, V a violation.
    private static final Draft STAY = to(null, I);
    private static final Draft OPEN_S = to(OPEN, S);
    private static final Draft RETRY = to(OPEN, I).warn(CSP_TASK_RETRIED);
    private static final Draft DONE_S = to(DONE, S);
    private static final Draft DONE_I = to(DONE, I);
    private static final Draft PART_I = to(PARTIAL, I);
    private static final Draft FAIL_I = to(FAILED, I);
    private static final Draft ERR_S = to(ERRORED, S);
    private static final Draft ERR_I = to(ERRORED, I);
    private static final Draft STRAY = STAY.warn(CSP_ERROR_AT_UNKNOWN);
    private static final Draft V_NO_TASK = illegal(CSP_RESULT_WITHOUT_TASK);
    private static final Draft V_OPEN = illegal(CSP_DUPLICATE_TASK_ID);
    private static final Draft V_REUSED = illegal(CSP_TASK_ID_REUSED);
    private static final Draft V_CLOSED = illegal(CSP_RESULT_AFTER_CLOSE);
    private static final Draft V_ERROR = illegal(CSP_RESULT_AFTER_ERROR);
    private static final Draft V_LATE = illegal(CSP_ERROR_AFTER_CLOSE);

    private static final Map<CspTaskState, Cell[]> TABLE = table(
            // state, then TASK or QUERY | RESULT OK | RESULT PARTIAL | RESULT FAIL | ERROR | PLAN, MEM or FILE
            row(NONE, OPEN_S, V_NO_TASK, V_NO_TASK, V_NO_TASK, STRAY, STAY),
            row(OPEN, V_OPEN, DONE_S, PART_I, FAIL_I, ERR_S, STAY),
            row(PARTIAL, V_OPEN, DONE_I, PART_I, FAIL_I, ERR_I, STAY),
            row(DONE, V_REUSED, V_CLOSED, V_CLOSED, V_CLOSED, V_LATE, STAY),
            row(FAILED, V_REUSED, V_CLOSED, V_CLOSED, V_CLOSED, ERR_I, STAY),
            row(ERRORED, RETRY, V_ERROR, V_ERROR, V_ERROR, ERR_I, STAY));

    private CspTaskTable() {}

    /** The cell of an event in a state. */
    static Cell cell(CspTaskState state, Event event) {
        return TABLE.get(state)[event.ordinal()];
    }

    private static Draft to(CspTaskState next, Rule.Provenance provenance) {
        return new Draft(next, null, null, provenance);
    }

    private static Draft illegal(Code violation) {
        return new Draft(null, violation, null, I);
    }

    private record Row(CspTaskState state, List<Draft> drafts) {}

    private static Row row(CspTaskState state, Draft... drafts) {
        return new Row(state, List.of(drafts));
    }

    private static Map<CspTaskState, Cell[]> table(Row... rows) {
        Map<CspTaskState, Cell[]> table = new EnumMap<>(CspTaskState.class);
        for (Row row : rows) {
            Cell[] cells = new Cell[Event.values().length];
            for (Event event : Event.values()) {
                cells[event.ordinal()] = row.drafts.get(event.ordinal()).in(row.state, event);
            }
            table.put(row.state, cells);
        }
        return table;
    }
}
