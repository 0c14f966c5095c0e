package dev.parley.topology.topics;

/** The severity of a finding. */
public enum Severity {
    /** Parley would fail or damage the audit trail: {@code parley run} does not start. */
    ERROR,
    /** Parley works, but will lose data or fail later unless an operator acts. */
    WARNING,
    /** A check could not run, or a permission is missing that only some instances need. */
    INFO
}
