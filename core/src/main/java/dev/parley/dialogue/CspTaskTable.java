package dev.parley.dialogue;

import dev.parley.avro.CspTaskState;
import dev.parley.codec.Code;
import dev.parley.dialogue.Rule.Provenance;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The task machine of CSP/1 (PROTOCOLS 3.3a), in the words of the page, read once; a cell reads as in {@link CellTable}. Duplicates and the role
 * check come before it.
 */
final class CspTaskTable {
    static final String SECTION = "CSP 3.3a";

    /** The columns of the table, in their order. */
    enum Event {
        OPENING,
        RESULT_OK,
        RESULT_PARTIAL,
        RESULT_FAIL,
        ERROR,
        OTHER
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

    private static final String PAGE = """
            | State   | TASK or QUERY             | RESULT OK                   | RESULT PARTIAL              | RESULT FAIL                 | ERROR                         | PLAN, MEM or FILE |
            | NONE    | OPEN S                    | V CSP_RESULT_WITHOUT_TASK I | V CSP_RESULT_WITHOUT_TASK I | V CSP_RESULT_WITHOUT_TASK I | NONE W CSP_ERROR_AT_UNKNOWN I | NONE I            |
            | OPEN    | V CSP_DUPLICATE_TASK_ID I | DONE S                      | PARTIAL I                   | FAILED I                    | ERRORED S                     | OPEN I            |
            | PARTIAL | V CSP_DUPLICATE_TASK_ID I | DONE I                      | PARTIAL I                   | FAILED I                    | ERRORED I                     | PARTIAL I         |
            | DONE    | V CSP_TASK_ID_REUSED I    | V CSP_RESULT_AFTER_CLOSE I  | V CSP_RESULT_AFTER_CLOSE I  | V CSP_RESULT_AFTER_CLOSE I  | V CSP_ERROR_AFTER_CLOSE I     | DONE I            |
            | FAILED  | V CSP_TASK_ID_REUSED I    | V CSP_RESULT_AFTER_CLOSE I  | V CSP_RESULT_AFTER_CLOSE I  | V CSP_RESULT_AFTER_CLOSE I  | ERRORED I                     | FAILED I          |
            | ERRORED | OPEN W CSP_TASK_RETRIED I | V CSP_RESULT_AFTER_ERROR I  | V CSP_RESULT_AFTER_ERROR I  | V CSP_RESULT_AFTER_ERROR I  | ERRORED I                     | ERRORED I         |
            """;

    private static final Map<CspTaskState, Map<Event, Cell>> TABLE = read();

    private CspTaskTable() {}

    /** The cell of an event in a state. */
    static Cell cell(CspTaskState state, Event event) {
        return TABLE.get(state).get(event);
    }

    private static Map<CspTaskState, Map<Event, Cell>> read() {
        List<String> lines = PAGE.lines().toList();
        String[] head = CellTable.cellsOf(lines.get(0));
        Map<CspTaskState, Map<Event, Cell>> table = new EnumMap<>(CspTaskState.class);
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = CellTable.cellsOf(line);
            CspTaskState state = CspTaskState.valueOf(cells[0]);
            Map<Event, Cell> row = new EnumMap<>(Event.class);
            for (Event event : Event.values()) {
                int column = event.ordinal() + 1;
                row.put(event, cell(state, head[column], cells[column]));
            }
            table.put(state, row);
        }
        return table;
    }

    private static Cell cell(CspTaskState state, String event, String text) {
        String[] words = text.split(" ", -1);
        Provenance provenance = Provenance.valueOf(words[words.length - 1]);
        String cell = state + " × " + event + " → ";
        if (words[0].equals("V")) {
            return new Cell(state, Code.of(words[1]), null, new Rule(cell + words[1], provenance, SECTION));
        }
        Code warning = words.length == 4 ? Code.of(words[2]) : null;
        return new Cell(CspTaskState.valueOf(words[0]), null, warning, new Rule(cell + words[0], provenance, SECTION));
    }
}
