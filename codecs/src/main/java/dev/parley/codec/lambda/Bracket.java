package dev.parley.codec.lambda;

/** A bracket that is open at one place of a message. A table counts as a bracket, written {@code |}. */
final class Bracket {

    private final byte kind;
    private final Bracket outer;

    /** In a brace: whether its current entry has begun, and has its colon. */
    private boolean begun;

    private boolean colon;

    /** In a table: cells of the current row that have ended; and of the whole first row, 0 before that row has ended. */
    private int cells;

    private int width;

    /**
     * @param outer the bracket around it, or null
     */
    Bracket(byte kind, Bracket outer) {
        this.kind = kind;
        this.outer = outer;
    }

    /** Whether a bracket is open, and of a kind. */
    static boolean is(Bracket bracket, char kind) {
        return bracket != null && bracket.kind == kind;
    }

    /** The bracket around it, or null. */
    Bracket outer() {
        return outer;
    }

    /** Whether an entry of the brace begins now. */
    boolean beginsEntry() {
        boolean begins = !begun;
        begun = true;
        return begins;
    }

    /** Whether the current entry of the brace gets its first colon now. */
    boolean firstColon() {
        boolean first = !colon;
        colon = true;
        return first;
    }

    /** Ends the current entry of the brace. */
    void endEntry() {
        begun = false;
        colon = false;
    }

    /** Ends a cell of the table, and not its row. */
    void endCell() {
        cells++;
    }

    /** Ends a row of the table; true when it is not as long as the first one. */
    boolean endsRaggedRow() {
        int row = cells + 1;
        cells = 0;
        if (width == 0) {
            width = row;
        }
        return row != width;
    }

    /** What is wrong when something else than its end comes. */
    String unclosed() {
        return switch (kind) {
            case '{' -> "A brace '{' is not closed by '}'.";
            case '[' -> "A bracket '[' is not closed by ']'.";
            default -> "A table is not closed by '||'.";
        };
    }
}
