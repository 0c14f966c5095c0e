package dev.parley.server.auth;

import dev.parley.codec.Excerpt;
import dev.parley.topology.views.read.NamespaceScope;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A caller of the HTTP API.
 *
 * @param name name for the log and the limits: one line, never a token
 * @param role permissions of the caller
 * @param namespaces namespaces that the caller may read, and to which it may send, as far as its role allows; empty for
 *     all
 */
public record Caller(String name, Role role, Optional<Set<String>> namespaces) {

    /** Control and format characters, separators of lines and paragraphs, and half characters. */
    private static final Pattern UNSHOWN = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]");

    /** Any caller, when authentication is off. */
    public static final Caller ANONYMOUS = new Caller("anonymous", Role.READER);

    /** A name in tokens that allows all namespaces. */
    public static final String ALL_NAMESPACES = "*";

    private static final int MAX_NAME_CHARACTERS = 200;

    /** Truncates a long name, and replaces characters that would break a line of the log. */
    public Caller {
        name = UNSHOWN.matcher(Excerpt.cut(name, MAX_NAME_CHARACTERS)).replaceAll("?");
        namespaces = namespaces.filter(bound -> !bound.contains(ALL_NAMESPACES)).map(Set::copyOf);
    }

    /** Creates a caller that is not bound to namespaces. */
    public Caller(String name, Role role) {
        this(name, role, Optional.empty());
    }

    /** Whether the caller may use only some namespaces. */
    public boolean isBound() {
        return namespaces.isPresent();
    }

    /** The namespaces that the caller may read. */
    public NamespaceScope scope() {
        return new NamespaceScope(namespaces);
    }

    /** Whether the caller may send messages of a namespace, if its role may send messages at all. */
    public boolean maySendTo(String namespace) {
        return namespaces.map(bound -> bound.contains(namespace)).orElse(true);
    }
}
