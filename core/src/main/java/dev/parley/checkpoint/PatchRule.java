package dev.parley.checkpoint;

/**
 * The rows of the checkpoint machine (PROTOCOLS 3.3b), in the order in which they are tested; b is the patch's base, t
 * its target.
 */
public enum PatchRule {
    /** One name twice: CSP_PATCH_NAME_TWICE. */
    NAME_TWICE("one name twice → CSP_PATCH_NAME_TWICE", "I"),
    /** Base is target: CSP_SELF_APPLY. */
    SELF_APPLY("b = t → CSP_SELF_APPLY", "I"),
    /** The target was made by the same operations from the same base. */
    DUPLICATE("t exists, same operations, same b → duplicate", "I"),
    /** The target was made otherwise: CSP_CHECKPOINT_CONFLICT. */
    CONFLICT("t exists, differs → CSP_CHECKPOINT_CONFLICT", "I"),
    /** The patch id was applied with other content: CSP_PATCH_ID_REUSED. */
    ID_REUSED("patch id applied with other content → CSP_PATCH_ID_REUSED", "I"),
    /** The base is unknown, and the same bytes wait for it already. */
    PARKED_ALREADY("b unknown, same bytes parked → duplicate", "I"),
    /** The base is unknown. */
    PARKED("b unknown → PARKED", "I"),
    /** The base is unknown and too many patches wait for it, or it did not come in time: CSP_UNKNOWN_BASE. */
    UNKNOWN_BASE("b unknown, parking number or time at its limit → CSP_UNKNOWN_BASE", "I"),
    /** An operation does not fit: CSP_ADD_EXISTS, CSP_CHANGE_MISSING or CSP_REMOVE_MISSING. */
    MISFIT("an operation does not fit b's state → rejected whole", "I"),
    /** The state would outgrow what a record can hold: CSP_STATE_TOO_LARGE. */
    STATE_TOO_LARGE("operations(b) larger than a state may be → CSP_STATE_TOO_LARGE", "I"),
    /** The base has another child, and the policy forbids it: CSP_FORK. */
    FORK_REJECTED("b has another child, csp.branching=reject → CSP_FORK", "I"),
    /** The base has another child: applied with the warning CSP_FORK. */
    FORK("b has another child → applied", "I"),
    /** Applied. */
    APPLIED("otherwise → applied, t = operations(b)", "S");

    private final String citation;

    PatchRule(String condition, String provenance) {
        this.citation = "CSP 3.3b: " + condition + " [" + provenance + "]";
    }

    /** The citation as it stands in audit records: section, name, provenance. */
    @Override
    public String toString() {
        return citation;
    }
}
