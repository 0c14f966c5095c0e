package dev.parley.benchmarks.load;

/**
 * What must become of a message.
 *
 * @param verdict the verdict
 * @param code the code that decides it; null where there is none
 */
public record Fate(Verdict verdict, String code) {

    /** What a message can come to. */
    public enum Verdict {
        /** Recorded as ACCEPTED, perhaps after it has waited for its base. */
        ACCEPTED,
        /** Recorded as REJECTED, and a dead letter. */
        REJECTED,
        /** Recorded as UNDECODABLE, and a dead letter. */
        UNDECODABLE,
        /** A patch whose base never comes: no verdict, until its time is up. */
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

    /** As it stands in a record header. */
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
