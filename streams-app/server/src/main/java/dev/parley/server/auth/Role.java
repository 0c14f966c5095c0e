package dev.parley.server.auth;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Permissions of a caller in its namespaces. Each role includes the ones before it, except that a READER and an AUDITOR
 * may not send. The names in lower case are a public contract.
 */
public enum Role {
    /** No permissions: an authenticated caller without a role in this deployment. */
    NONE,
    /** Sends messages to the input, and reads nothing except the verdicts on them. */
    PRODUCER,
    /** Also states the callers of the messages that it sends. */
    RECORDER,
    /** Reads everything except the bodies of private messages. */
    READER,
    /** Also reads the bodies of private messages. */
    AUDITOR,
    /** Also sends messages, redrives dead letters, and requests redactions and approvals. */
    OPERATOR;

    /** The roles that a token can have, in ascending order. */
    public static final List<Role> GIVEN = List.of(PRODUCER, RECORDER, READER, AUDITOR, OPERATOR);

    /** Whether this role includes the permissions of the other. */
    public boolean includes(Role other) {
        boolean isWithin = compareTo(other) >= 0;
        return isWithin && (this == OPERATOR || this == other || compareTo(READER) < 0 || !other.sends());
    }

    private boolean sends() {
        return this == PRODUCER || this == RECORDER;
    }

    /** Whether this role may read the bodies of private messages. */
    public boolean seesPrivateMessages() {
        return includes(AUDITOR);
    }

    /** The name in files and settings. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The role with this name; empty if there is none. NONE has no name. */
    public static Optional<Role> of(String text) {
        return GIVEN.stream().filter(role -> role.text().equals(text)).findFirst();
    }

    /** The names of the roles that a token can have, for messages. */
    public static String names() {
        return GIVEN.stream().map(Role::text).collect(Collectors.joining(", "));
    }
}
