package dev.parley.checkpoint;

import dev.parley.avro.Rule;
import dev.parley.codec.Code;
import java.util.List;

/**
 * Rows of the table of docs/protocols.md 3.3b, in the order of their evaluation; b is the base of the patch, t its
 * target. A row that follows from a decision of 3.2 cites the decision.
 */
public enum PatchRule {
    NAME_TWICE("3.2 C11", "one name twice → CSP_PATCH_NAME_TWICE", "I"),
    SELF_APPLY("3.2 C18", "b = t → CSP_SELF_APPLY", "I"),
    DUPLICATE("3.3b", "t exists, same operations, same b → duplicate", "I"),
    CONFLICT("3.2 C16", "t exists, differs → CSP_CHECKPOINT_CONFLICT", "I"),
    ID_REUSED("3.3b", "patch id applied with other content → CSP_PATCH_ID_REUSED", "I"),
    PARKED_ALREADY("3.3b", "b unknown, same bytes parked → duplicate", "I"),
    PARKED("3.3b", "b unknown → PARKED", "I"),
    UNKNOWN_BASE("3.3b", "b unknown, parking number or time at its limit → CSP_UNKNOWN_BASE", "I"),
    MISMATCH("3.2 C9", "an operation does not fit b's state → rejected whole", "I"),
    STATE_TOO_LARGE("3.3b", "operations(b) larger than a state may be → CSP_STATE_TOO_LARGE", "I"),
    FORK_REJECTED("3.2 C15", "b has another child, csp.branching=reject → CSP_FORK", "I"),
    FORK("3.2 C15", "b has another child → applied", "I"),
    APPLIED("3.3b", "otherwise → applied, t = operations(b)", "S");

    private final Rule rule;

    PatchRule(String section, String text, String provenance) {
        this.rule = new Rule(section, provenance, text, null, null, null);
    }

    /** Returns the rule as verdicts cite it; not to be changed. */
    public Rule rule() {
        return rule;
    }

    PatchOutcome rejected(Code code, String detail) {
        return new PatchOutcome.Rejected(code, detail, List.of(), this);
    }
}
