package dev.parley.load;

import dev.parley.avro.AuditRecord;

/**
 * The expected outcome of a message.
 *
 * @param verdict the verdict
 * @param code the deciding code; null without one
 */
public record ExpectedOutcome(Verdict verdict, String code) {

    /** Possible outcomes of a message. */
    public enum Verdict {
        /** Recorded as ACCEPTED, possibly after parking. */
        ACCEPTED,
        /** Recorded as REJECTED, with a dead letter. */
        REJECTED,
        /** Recorded as UNDECODABLE, with a dead letter. */
        UNDECODABLE,
        /** A patch whose base never comes: no verdict until it expires. */
        PARKED
    }

    static final ExpectedOutcome ACCEPTED = new ExpectedOutcome(Verdict.ACCEPTED, null);
    static final ExpectedOutcome PARKED = new ExpectedOutcome(Verdict.PARKED, null);

    static ExpectedOutcome rejected(String code) {
        return new ExpectedOutcome(Verdict.REJECTED, code);
    }

    static ExpectedOutcome undecodable(String code) {
        return new ExpectedOutcome(Verdict.UNDECODABLE, code);
    }

    /** The outcome in an audit record. */
    public static ExpectedOutcome of(AuditRecord audit) {
        return new ExpectedOutcome(Verdict.valueOf(audit.getVerdict()), audit.getCode());
    }

    /** Whether this is the outcome, or that of a parked patch that has expired. */
    public boolean allows(ExpectedOutcome actual) {
        return equals(actual) || verdict == Verdict.PARKED && "CSP_UNKNOWN_BASE".equals(actual.code);
    }

    /** The form in a record header. */
    @Override
    public String toString() {
        return code == null ? verdict.name() : verdict + " " + code;
    }

    /** The reverse of {@link #toString}. */
    public static ExpectedOutcome parse(String text) {
        int blank = text.indexOf(' ');
        return blank < 0
                ? new ExpectedOutcome(Verdict.valueOf(text), null)
                : new ExpectedOutcome(Verdict.valueOf(text.substring(0, blank)), text.substring(blank + 1));
    }
}
