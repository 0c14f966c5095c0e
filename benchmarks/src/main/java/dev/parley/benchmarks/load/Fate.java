package dev.parley.benchmarks.load;

/**
 * The expected outcome of a message.
 *
 * @param verdict the verdict
 * @param code the deciding code; null without one
 */
public record Fate(Verdict verdict, String code) {

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

    static final Fate ACCEPTED = new Fate(Verdict.ACCEPTED, null);
    static final Fate PARKED = new Fate(Verdict.PARKED, null);

    static Fate rejected(String code) {
        return new Fate(Verdict.REJECTED, code);
    }

    static Fate undecodable(String code) {
        return new Fate(Verdict.UNDECODABLE, code);
    }

    /** The form in a record header. */
    @Override
    public String toString() {
        return code == null ? verdict.name() : verdict + " " + code;
    }

    /** The reverse of {@link #toString}. */
    static Fate parse(String text) {
        int blank = text.indexOf(' ');
        return blank < 0
                ? new Fate(Verdict.valueOf(text), null)
                : new Fate(Verdict.valueOf(text.substring(0, blank)), text.substring(blank + 1));
    }
}
