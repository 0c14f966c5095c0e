package dev.parley.codec.lambda;

/** An open bracket. A table counts as a bracket, written {@code |}. */
final class Bracket {

    private final byte kind;
    private final Bracket outer;

    /** In a brace: whether its current entry has started, and has its colon. */
    private boolean begun;

    private boolean colon;

    /** In a table: completed cells of the current row, cells of the first row (0 until it has ended), ended rows. */
    private int cells;

    private int width;
    private int rows;

    /**
     * @param outer the enclosing bracket, or null
     */
    Bracket(byte kind, Bracket outer) {
        this.kind = kind;
        this.outer = outer;
    }

    /** Whether a bracket is open and has this kind. */
    static boolean is(Bracket bracket, char kind) {
        return bracket != null && bracket.kind == kind;
    }

    /** The enclosing bracket, or null. */
    Bracket outer() {
        return outer;
    }

    /** Whether an entry of the brace starts now. */
    boolean beginsEntry() {
        boolean begins = !begun;
        begun = true;
        return begins;
    }

    /** Whether this is the first colon of the current entry of the brace. */
    boolean firstColon() {
        boolean first = !colon;
        colon = true;
        return first;
    }

    void endEntry() {
        begun = false;
        colon = false;
    }

    /** Ends a cell of the table, but not its row. */
    void endCell() {
        cells++;
    }

    /** Ends a row of the table. Returns the number of its cells if it differs from the first row, or else 0. */
    int endRow() {
        int row = cells + 1;
        cells = 0;
        rows++;
        if (width == 0) {
            width = row;
        }
        return row == width ? 0 : row;
    }

    /** A sentence about the row that ended last. */
    String raggedRow(int found) {
        return "Row " + rows + " of a table must have as many cells as the first row, " + width + ", not " + found
                + ".";
    }

    /** The error detail if another character comes instead of its end. */
    String unclosed() {
        return switch (kind) {
            case '{' -> "A brace '{' is not closed by '}'.";
            case '[' -> "A bracket '[' is not closed by ']'.";
            default -> "A table is not closed by '||'.";
        };
    }
}
