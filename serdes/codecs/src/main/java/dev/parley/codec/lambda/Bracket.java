package dev.parley.codec.lambda;

/** An open bracket. A table counts as a bracket, written {@code |}. */
final class Bracket {

    private final byte kind;
    private final Bracket outer;

    /** In a brace: whether its current entry has started, and has its colon. */
    private boolean begun;

    private boolean colon;

    /** In a table: completed cells of the current row, and cells of the first row (0 until that row has ended). */
    private int cells;

    private int width;

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

    /** Ends a row of the table. Returns true if its length differs from the first row. */
    boolean endsRaggedRow() {
        int row = cells + 1;
        cells = 0;
        if (width == 0) {
            width = row;
        }
        return row != width;
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
