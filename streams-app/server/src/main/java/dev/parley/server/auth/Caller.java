package dev.parley.server.auth;

import java.util.Optional;
import java.util.Set;

/**
 * A caller of the HTTP API.
 *
 * @param name name for the log and the limits: one line, never a token
 * @param role permissions of the caller
 * @param namespaces namespaces to which a producer may send; empty if it may send to all
 */
public record Caller(String name, Role role, Optional<Set<String>> namespaces) {

    /** Any caller, when authentication is off. */
    public static final Caller ANONYMOUS = new Caller("anonymous", Role.READER);

    private static final int MAX_NAME_CHARACTERS = 200;

    /** Truncates a long name, and replaces characters that would break a line of the log. */
    public Caller {
        StringBuilder line = new StringBuilder(Math.min(name.length(), MAX_NAME_CHARACTERS));
        name.codePoints().limit(MAX_NAME_CHARACTERS).forEach(c -> line.appendCodePoint(isShown(c) ? c : '?'));
        name = line.toString();
        namespaces = namespaces.map(Set::copyOf);
    }

    /** Creates a caller that is not bound to namespaces. */
    public Caller(String name, Role role) {
        this(name, role, Optional.empty());
    }

    /** Whether the caller may send messages of a namespace, if its role may send messages at all. */
    public boolean maySendTo(String namespace) {
        return namespaces.map(bound -> bound.contains(namespace)).orElse(true);
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
