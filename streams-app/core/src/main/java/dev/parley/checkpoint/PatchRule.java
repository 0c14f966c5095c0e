package dev.parley.checkpoint;

/**
 * Rows of the table of PROTOCOLS 3.3b, in the order of their evaluation; b is the base of the patch, t its target.
 * Audit records contain the citations.
 */
public enum PatchRule {
    NAME_TWICE("one name twice → CSP_PATCH_NAME_TWICE", "I"),
    SELF_APPLY("b = t → CSP_SELF_APPLY", "I"),
    DUPLICATE("t exists, same operations, same b → duplicate", "I"),
    CONFLICT("t exists, differs → CSP_CHECKPOINT_CONFLICT", "I"),
    ID_REUSED("patch id applied with other content → CSP_PATCH_ID_REUSED", "I"),
    PARKED_ALREADY("b unknown, same bytes parked → duplicate", "I"),
    PARKED("b unknown → PARKED", "I"),
    UNKNOWN_BASE("b unknown, parking number or time at its limit → CSP_UNKNOWN_BASE", "I"),
    MISMATCH("an operation does not fit b's state → rejected whole", "I"),
    STATE_TOO_LARGE("operations(b) larger than a state may be → CSP_STATE_TOO_LARGE", "I"),
    FORK_REJECTED("b has another child, csp.branching=reject → CSP_FORK", "I"),
    FORK("b has another child → applied", "I"),
    APPLIED("otherwise → applied, t = operations(b)", "S");

    private final String citation;

    PatchRule(String condition, String provenance) {
        this.citation = "CSP 3.3b: " + condition + " [" + provenance + "]";
    }

    /** The citation in audit records: section, name, provenance. */
    @Override
    public String toString() {
        return citation;
    }
}
