package dev.parley.operations;

/** How bad a finding is. */
public enum Severity {
    /** Parley would not work, or would spoil the record: {@code parley run} does not start. */
    ERROR,
    /** Parley works, but something will be lost or will fail that an operator can prevent now. */
    WARNING,
    /** Something could not be looked at. */
    INFO
}
