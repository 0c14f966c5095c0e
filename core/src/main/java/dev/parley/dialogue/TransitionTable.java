package dev.parley.dialogue;

import dev.parley.codec.Code;
import dev.parley.dialogue.Rule.Provenance;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Transition table of a protocol, read from the words of its documentation: a head line with the acts, then one line
 * for each state. A cell is {@code TARGET (REMARK) W CODE PROVENANCE}, where remark and warning may be missing, or
 * {@code V CODE PROVENANCE}. The target {@code stay} is the state itself. Immutable; read once, when the class of the
 * rules is loaded.
 *
 * @param <S> states: the rows, and where the cells lead
 * @param <A> acts: the columns, each headed by its {@code toString}
 */
public final class TransitionTable<S extends Enum<S>, A extends Enum<A>> {
    private final Map<S, Map<A, Cell<S>>> rows;

    private TransitionTable(Map<S, Map<A, Cell<S>>> rows) {
        this.rows = rows;
    }

    /**
     * One cell.
     *
     * @param <S> states
     * @param target the state after the act; null when the act is illegal
     * @param violation why the act is illegal; null when it is legal
     * @param warning what is unusual about it; null when nothing is
     * @param rule the citation of this cell
     */
    public record Cell<S>(S target, Code violation, Code warning, Rule rule) {}

    /** The reader of a table in a section of the documentation, which citations name. */
    public static <S extends Enum<S>, A extends Enum<A>> Reader<S, A> of(
            String section, Class<S> states, Class<A> acts) {
        return new Reader<>(section, states, acts, "", false, null);
    }

    /**
     * The cell of a state and an act.
     *
     * @throws IllegalArgumentException when the table has none
     */
    public Cell<S> at(S state, A act) {
        Map<A, Cell<S>> row = rows.get(state);
        Cell<S> cell = row == null ? null : row.get(act);
        if (cell == null) {
            throw new IllegalArgumentException("no cell for " + state + " × " + act);
        }
        return cell;
    }

    /**
     * Reads tables, and says how their cells are cited.
     *
     * @param <S> states
     * @param <A> acts
     * @param section section of the documentation
     * @param states the type of the rows
     * @param acts the type of the columns
     * @param qualifier what citations say after the row's name; or empty
     * @param citesOutcome whether citations name target or violation instead of the cell's words
     * @param unnamedTarget target of a cell that names none; null if every cell must
     */
    public record Reader<S extends Enum<S>, A extends Enum<A>>(
            String section,
            Class<S> states,
            Class<A> acts,
            String qualifier,
            boolean citesOutcome,
            BiFunction<S, A, S> unnamedTarget) {

        /** The same for a table that holds in special circumstances only, which citations say after the row's name. */
        public Reader<S, A> qualified(String circumstances) {
            return new Reader<>(section, states, acts, circumstances, citesOutcome, unnamedTarget);
        }

        /** The same, but citations name target and remark, or the violation, instead of the cell's words. */
        public Reader<S, A> citingOutcomes() {
            return new Reader<>(section, states, acts, qualifier, true, unnamedTarget);
        }

        /** The same for a table whose cells need not name a target. */
        public Reader<S, A> withUnnamedTarget(BiFunction<S, A, S> target) {
            return new Reader<>(section, states, acts, qualifier, citesOutcome, target);
        }

        /**
         * Reads a table.
         *
         * @param parts the table, or parts of it side by side, each with head line and states
         * @throws IllegalArgumentException when the text is no such table
         */
        public TransitionTable<S, A> read(String... parts) {
            Map<S, Map<A, Cell<S>>> rows = new EnumMap<>(states);
            for (String part : parts) {
                List<String> lines = part.strip().lines().toList();
                String[] head = cellsOf(lines.get(0));
                for (String line : lines.subList(1, lines.size())) {
                    row(head, cellsOf(line), rows);
                }
            }
            return new TransitionTable<>(rows);
        }

        private void row(String[] head, String[] cells, Map<S, Map<A, Cell<S>>> rows) {
            S state = Enum.valueOf(states, cells[0]);
            if (cells.length != head.length) {
                throw new IllegalArgumentException(section + ": row " + state + " is short or long");
            }
            Map<A, Cell<S>> row = rows.computeIfAbsent(state, key -> new EnumMap<>(acts));
            for (int column = 1; column < cells.length; column++) {
                A act = act(head[column]);
                if (row.put(act, cell(state, act, cells[column])) != null) {
                    throw new IllegalArgumentException(section + ": " + state + " × " + act + " is there twice");
                }
            }
        }

        private A act(String heading) {
            for (A act : acts.getEnumConstants()) {
                if (act.toString().equals(heading)) {
                    return act;
                }
            }
            throw new IllegalArgumentException(section + ": no column is headed '" + heading + "'");
        }

        /**
         * Reads one cell.
         *
         * @throws IllegalArgumentException when the text is no cell
         */
        public Cell<S> cell(S state, A act, String text) {
            int end = text.lastIndexOf(' ');
            Provenance provenance = Provenance.valueOf(text.substring(end + 1));
            String what = end < 0 ? "" : text.substring(0, end).strip();
            int open = what.indexOf('(');
            int close = what.indexOf(')', open);
            String remark = open < 0 ? "" : " " + what.substring(open + 1, close);
            String plain = open < 0 ? what : (what.substring(0, open) + what.substring(close + 1)).strip();
            String[] words = plain.isEmpty() ? new String[0] : plain.split(" +", -1);
            if (words.length == 2 && words[0].equals("V")) {
                return new Cell<>(
                        null, Code.of(words[1]), null, rule(state, act, citesOutcome ? words[1] : what, provenance));
            }
            boolean warns = words.length >= 2 && words[words.length - 2].equals("W");
            int named = words.length - (warns ? 2 : 0);
            if (named > 1 || named == 0 && unnamedTarget == null) {
                throw new IllegalArgumentException(section + ": '" + text + "' is no cell");
            }
            S target = named == 0
                    ? unnamedTarget.apply(state, act)
                    : words[0].equals("stay") ? state : Enum.valueOf(states, words[0]);
            Code warning = warns ? Code.of(words[words.length - 1]) : null;
            return new Cell<>(
                    target, null, warning, rule(state, act, citesOutcome ? target + remark : what, provenance));
        }

        private Rule rule(S state, A act, String outcome, Provenance provenance) {
            return new Rule(state + qualifier + " × " + act + " → " + outcome, provenance, section);
        }

        /** What stands between the bars of a line, without the blanks around it. */
        private static String[] cellsOf(String line) {
            return line.substring(line.indexOf('|') + 1, line.lastIndexOf('|'))
                    .strip()
                    .split(" *\\| *", -1);
        }
    }
}
