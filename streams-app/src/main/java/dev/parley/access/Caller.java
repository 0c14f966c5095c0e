package dev.parley.access;

/**
 * A caller of the HTTP API.
 *
 * @param name name for the log and the limits: one line, never a token
 * @param role permissions of the caller
 */
public record Caller(String name, Role role) {

    /** Any caller, when authentication is off. */
    public static final Caller ANONYMOUS = new Caller("anonymous", Role.READER);

    private static final int MAX_NAME_CHARACTERS = 200;

    /** Truncates a long name, and replaces characters that would break a line of the log. */
    public Caller {
        StringBuilder line = new StringBuilder(Math.min(name.length(), MAX_NAME_CHARACTERS));
        name.codePoints().limit(MAX_NAME_CHARACTERS).forEach(c -> line.appendCodePoint(isShown(c) ? c : '?'));
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
