package dev.parley.dialogue;

import dev.parley.avro.Provenance;
import dev.parley.avro.Rule;
import dev.parley.codec.Code;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Transition table of a protocol, parsed from the table in its documentation: a header line with the acts, then one
 * line per state. A cell is {@code TARGET (REMARK) W CODE PROVENANCE} with optional remark and warning, or {@code V
 * CODE PROVENANCE}. The target {@code stay} is the state itself. Immutable; parsed once, when the class of the rules is
 * loaded.
 *
 * @param <S> states: the rows and targets
 * @param <A> acts: the columns, each headed by its {@code toString}
 */
public final class TransitionTable<S extends Enum<S>, A extends Enum<A>> {
    private final Map<S, Map<A, Cell<S>>> rows;

    private TransitionTable(Map<S, Map<A, Cell<S>>> rows) {
        this.rows = rows;
    }

    /**
     * A cell.
     *
     * @param <S> states
     * @param target state after the act; null if the act is illegal
     * @param violation why the act is illegal; null if it is legal
     * @param warning the warning; null if there is none
     * @param rule citation of this cell
     */
    public record Cell<S>(S target, Code violation, Code warning, Rule rule) {}

    /** Creates a parser for a table of a section, which citations name. */
    public static <S extends Enum<S>, A extends Enum<A>> Reader<S, A> of(
            String section, Class<S> states, Class<A> acts) {
        return new Reader<>(section, states, acts, "", false, null);
    }

    /**
     * Returns the cell of a state and an act.
     *
     * @throws IllegalArgumentException if the table has no such cell
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
     * Parses tables and determines the citations of their cells.
     *
     * @param <S> states
     * @param <A> acts
     * @param section section of the documentation
     * @param states type of the rows
     * @param acts type of the columns
     * @param qualifier text after the row's name in citations; may be empty
     * @param citesOutcome whether citations contain target or violation instead of the cell's text
     * @param unnamedTarget target of a cell without one; null if every cell must have one
     */
    public record Reader<S extends Enum<S>, A extends Enum<A>>(
            String section,
            Class<S> states,
            Class<A> acts,
            String qualifier,
            boolean citesOutcome,
            BiFunction<S, A, S> unnamedTarget) {

        /** Returns a parser of a table for special circumstances, which citations name after the row. */
        public Reader<S, A> qualified(String circumstances) {
            return new Reader<>(section, states, acts, circumstances, citesOutcome, unnamedTarget);
        }

        /** Returns a parser whose citations contain target and remark, or the violation. */
        public Reader<S, A> citingOutcomes() {
            return new Reader<>(section, states, acts, qualifier, true, unnamedTarget);
        }

        /** Returns a parser of a table whose cells may omit the target. */
        public Reader<S, A> withUnnamedTarget(BiFunction<S, A, S> target) {
            return new Reader<>(section, states, acts, qualifier, citesOutcome, target);
        }

        /**
         * Parses a table.
         *
         * @param parts the table, or parts of it side by side, each with header line and states
         * @throws IllegalArgumentException if the text is not a valid table
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
                throw new IllegalArgumentException(
                        section + ": row " + state + " must have " + head.length + " cells, but has " + cells.length);
            }
            Map<A, Cell<S>> row = rows.computeIfAbsent(state, key -> new EnumMap<>(acts));
            for (int column = 1; column < cells.length; column++) {
                A act = act(head[column]);
                if (row.put(act, cell(state, act, cells[column])) != null) {
                    throw new IllegalArgumentException(section + ": " + state + " × " + act + " appears twice");
                }
            }
        }

        private A act(String heading) {
            for (A act : acts.getEnumConstants()) {
                if (act.toString().equals(heading)) {
                    return act;
                }
            }
            throw new IllegalArgumentException(section + ": unknown column '" + heading + "'");
        }

        /**
         * Parses one cell.
         *
         * @throws IllegalArgumentException if the text is not a valid cell
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
                        null,
                        Code.of(words[1]),
                        null,
                        rule(state, act, null, citesOutcome ? words[1] : what, provenance));
            }
            boolean warns = words.length >= 2 && words[words.length - 2].equals("W");
            int named = words.length - (warns ? 2 : 0);
            if (named > 1 || named == 0 && unnamedTarget == null) {
                throw new IllegalArgumentException(section + ": invalid cell '" + text + "'");
            }
            S target = named == 0
                    ? unnamedTarget.apply(state, act)
                    : words[0].equals("stay") ? state : Enum.valueOf(states, words[0]);
            Code warning = warns ? Code.of(words[words.length - 1]) : null;
            return new Cell<>(
                    target, null, warning, rule(state, act, target, citesOutcome ? target + remark : what, provenance));
        }

        private Rule rule(S state, A act, S target, String outcome, Provenance provenance) {
            return new Rule(
                    section,
                    provenance.name(),
                    state + qualifier + " × " + act + " → " + outcome,
                    state.name(),
                    act.toString(),
                    target == null ? null : target.name());
        }

        /** Splits a line at its bars, and trims the parts. */
        private static String[] cellsOf(String line) {
            return line.substring(line.indexOf('|') + 1, line.lastIndexOf('|'))
                    .strip()
                    .split(" *\\| *", -1);
        }
    }
}
