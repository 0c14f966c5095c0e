package dev.parley.access;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a caller may do. Each role may do all that the ones before it may; the names in lower case are public contract. */
public enum Role {
    /** Nothing: somebody who is known, but has no role here. */
    NONE,
    /** Reads everything but the bodies of private messages. */
    READER,
    /** Reads private bodies too. */
    AUDITOR,
    /** Sends dead letters again, too. */
    OPERATOR;

    /** The roles that somebody can be given, the least first. */
    public static final List<Role> GIVEN = List.of(READER, AUDITOR, OPERATOR);

    /** Whether somebody of this role may do what the other may. */
    public boolean includes(Role other) {
        return compareTo(other) >= 0;
    }

    /** Whether somebody of this role may read what is private. */
    public boolean seesPrivateMessages() {
        return includes(AUDITOR);
    }

    /** The name as it stands in files and settings. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The role that somebody can be given of a name; empty for another text. */
    public static Optional<Role> of(String text) {
        return GIVEN.stream().filter(role -> role.text().equals(text)).findFirst();
    }

    /** The names of the roles that somebody can be given, for messages. */
    public static String names() {
        return String.join(", ", Arrays.asList(READER.text(), AUDITOR.text(), OPERATOR.text()));
    }
}
