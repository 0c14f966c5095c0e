package dev.parley.operations;

import java.util.Objects;

/**
 * Something that an operator should mend.
 *
 * @param check what was looked for
 * @param subject what it is about, for example "topic parley.audit.v1"
 * @param problem what is wrong, in a sentence
 * @param remedy what to do, in a sentence
 */
public record Finding(Check check, String subject, String problem, String remedy) {

    /** Needs all four. */
    public Finding {
        Objects.requireNonNull(check, "check");
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(problem, "problem");
        Objects.requireNonNull(remedy, "remedy");
    }

    /** How bad it is. */
    public Severity severity() {
        return check.severity();
    }

    @Override
    public String toString() {
        return check + " (" + subject + "): " + problem + " " + remedy;
    }
}
