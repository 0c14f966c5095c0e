package dev.parley.dialogue;

import dev.parley.codec.Code;
import dev.parley.dialogue.Rule.Provenance;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A transition table, written in code as it stands in the specification: a head line with the acts, then one line for each state. A cell
 * reads {@code TARGET PROVENANCE}, {@code TARGET W CODE PROVENANCE} or {@code V CODE PROVENANCE}. Read once, when the rules' class is loaded;
 * immutable.
 *
 * @param <S> states: the rows, and where the cells lead
 * @param <A> acts: the columns
 */
final class CellTable<S extends Enum<S>, A extends Enum<A>> {
    /**
     * One cell.
     *
     * @param target the state after the act; null when the act is illegal
     * @param violation why the act is illegal; null when it is legal
     * @param warning what is unusual about it; null when nothing is
     * @param rule the citation of this cell
     */
    record Cell<S>(S target, Code violation, Code warning, Rule rule) {}

    private final Map<S, Map<A, Cell<S>>> rows;

    private CellTable(Map<S, Map<A, Cell<S>>> rows) {
        this.rows = rows;
    }

    /**
     * Reads a table.
     *
     * @param section where the table stands, for citations
     * @param qualifier what citations say after the row's name, for tables that hold in special circumstances only; or empty
     * @param states the rows' type
     * @param acts the columns' type
     * @param text the table
     * @throws IllegalArgumentException when the text is no such table
     */
    static <S extends Enum<S>, A extends Enum<A>> CellTable<S, A> read(
            String section, String qualifier, Class<S> states, Class<A> acts, String text) {
        List<String> lines = text.strip().lines().toList();
        String[] head = cellsOf(lines.get(0));
        Map<S, Map<A, Cell<S>>> rows = new EnumMap<>(states);
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = cellsOf(line);
            S state = Enum.valueOf(states, cells[0]);
            if (cells.length != head.length || rows.containsKey(state)) {
                throw new IllegalArgumentException(section + ": row " + state + " is short, long, or there twice");
            }
            Map<A, Cell<S>> row = new EnumMap<>(acts);
            for (int column = 1; column < cells.length; column++) {
                A act = Enum.valueOf(acts, head[column]);
                row.put(act, cell(section, state + qualifier + " × " + act + " → ", states, cells[column]));
            }
            rows.put(state, row);
        }
        return new CellTable<>(rows);
    }

    /** What stands between the bars of a line, without the blanks around it. */
    static String[] cellsOf(String line) {
        return line.substring(line.indexOf('|') + 1, line.lastIndexOf('|'))
                .strip()
                .split(" *\\| *", -1);
    }

    private static <S extends Enum<S>> Cell<S> cell(String section, String what, Class<S> states, String text) {
        String[] words = text.split(" ", -1);
        String last = words[words.length - 1];
        Rule rule = new Rule(
                what + text.substring(0, text.length() - last.length()).strip(), Provenance.valueOf(last), section);
        if (words.length == 3 && words[0].equals("V")) {
            return new Cell<>(null, Code.of(words[1]), null, rule);
        }
        S target = Enum.valueOf(states, words[0]);
        if (words.length == 2) {
            return new Cell<>(target, null, null, rule);
        }
        if (words.length == 4 && words[1].equals("W")) {
            return new Cell<>(target, null, Code.of(words[2]), rule);
        }
        throw new IllegalArgumentException(section + ": '" + text + "' is no cell");
    }

    /**
     * The cell of a state and an act.
     *
     * @throws IllegalArgumentException when the table has none
     */
    Cell<S> at(S state, A act) {
        Map<A, Cell<S>> row = rows.get(state);
        Cell<S> cell = row == null ? null : row.get(act);
        if (cell == null) {
            throw new IllegalArgumentException("no cell for " + state + " × " + act);
        }
        return cell;
    }
}
