package dev.parley.codec.lambda;

import java.util.Arrays;

/** The brackets that are open at one place of a message, never more than a limit. A table counts as a bracket, written {@code |}. */
final class Brackets {
    private final int limit;
    private byte[] kinds = new byte[8];
    /** In a brace: whether its current entry has begun, and has its colon. In a table: cells of the current row that have ended. */
    private int[] progress = new int[8];
    /** In a table: cells of its first row; 0 before that row has ended. */
    private int[] width = new int[8];

    private int depth;

    Brackets(int limit) {
        this.limit = limit;
    }

    int depth() {
        return depth;
    }

    /** The innermost open bracket; there has to be one. */
    byte top() {
        return kinds[depth - 1];
    }

    /** Opens a bracket; false when it would be one too many. */
    boolean push(byte kind) {
        if (depth == limit) {
            return false;
        }
        if (depth == kinds.length) {
            kinds = Arrays.copyOf(kinds, depth * 2);
            progress = Arrays.copyOf(progress, depth * 2);
            width = Arrays.copyOf(width, depth * 2);
        }
        kinds[depth] = kind;
        progress[depth] = 0;
        width[depth++] = 0;
        return true;
    }

    void pop() {
        depth--;
    }

    /** Whether the innermost bracket is a brace whose current entry begins now. */
    boolean beginsPart() {
        if (depth == 0 || top() != '{' || progress[depth - 1] != 0) {
            return false;
        }
        progress[depth - 1] = 1;
        return true;
    }

    /** Whether the innermost bracket is a brace whose current entry gets its first colon now. */
    boolean firstColon() {
        if (depth == 0 || top() != '{' || progress[depth - 1] != 1) {
            return false;
        }
        progress[depth - 1] = 2;
        return true;
    }

    /** Ends the current entry of the brace. */
    void endPart() {
        progress[depth - 1] = 0;
    }

    /** Ends a cell of the table, and not its row. */
    void cell() {
        progress[depth - 1]++;
    }

    /** Ends a row of the table; true when it is not as long as the first one. */
    boolean rowEndsRagged() {
        int cells = progress[depth - 1] + 1;
        progress[depth - 1] = 0;
        if (width[depth - 1] == 0) {
            width[depth - 1] = cells;
            return false;
        }
        return width[depth - 1] != cells;
    }

    /** A sentence on the innermost open bracket. */
    String unclosed() {
        return switch (top()) {
            case '{' -> "A brace '{' is not closed by '}'.";
            case '[' -> "A bracket '[' is not closed by ']'.";
            default -> "A table is not closed by '||'.";
        };
    }
}
