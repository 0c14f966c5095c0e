package dev.parley.topology.topics;

import java.util.Objects;

/**
 * A problem that an operator should fix.
 *
 * @param check the check that found it
 * @param subject the affected resource, for example "topic parley.audit.v1"
 * @param problem the problem, as a sentence
 * @param remedy the action to take, as a sentence
 */
public record Finding(Check check, String subject, String problem, String remedy) {

    /** Requires all four. */
    public Finding {
        Objects.requireNonNull(check, "check");
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(problem, "problem");
        Objects.requireNonNull(remedy, "remedy");
    }

    public Severity severity() {
        return check.severity();
    }

    @Override
    public String toString() {
        return check + " (" + subject + "): " + problem + " " + remedy;
    }
}
