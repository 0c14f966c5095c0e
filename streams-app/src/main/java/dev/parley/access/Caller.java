package dev.parley.access;

/**
 * Somebody who asks.
 *
 * @param name who it is, for the log and the limits: one line, never a token
 * @param role what it may do
 */
public record Caller(String name, Role role) {

    /** Anybody, where nobody is asked who they are. */
    public static final Caller ANONYMOUS = new Caller("anonymous", Role.READER);

    private static final int LONGEST = 200;

    /** Cuts a name that is too long, and takes out of it what would break a line of the log. */
    public Caller {
        StringBuilder line = new StringBuilder(Math.min(name.length(), LONGEST));
        name.codePoints().limit(LONGEST).forEach(c -> line.appendCodePoint(isShown(c) ? c : '?'));
        name = line.toString();
    }

    private static boolean isShown(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> false;
            default -> true;
        };
    }
}
