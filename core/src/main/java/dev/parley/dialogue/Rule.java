package dev.parley.dialogue;

/**
 * The rule that decided about a message, so that a verdict can cite it. The rules of the tables are made once, citation
 * and all.
 */
public final class Rule {
    private final String name;
    private final Provenance provenance;
    private final String section;
    private final String citation;

    /**
     * A rule.
     *
     * @param name what was applied, for example "REQUESTED × PROPOSE → PROPOSED"
     * @param provenance on whose authority
     * @param section where it stands, for example "SLIP 1.4"
     */
    public Rule(String name, Provenance provenance, String section) {
        this.name = name;
        this.provenance = provenance;
        this.section = section;
        this.citation = section + ": " + name + " [" + provenance + "]";
    }

    /** What was applied. */
    public String name() {
        return name;
    }

    /** On whose authority. */
    public Provenance provenance() {
        return provenance;
    }

    /** Where it stands. */
    public String section() {
        return section;
    }

    /** On whose authority a rule stands. */
    public enum Provenance {
        /** The protocol document says so. */
        S,
        /** The protocol's companion documents say so. */
        C,
        /** The protocol's reference implementation does so. */
        R,
        /** Parley's interpretation, where the documents are silent or contradict themselves. */
        I
    }

    /** Rules are equal when they are cited alike. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Rule rule && rule.citation.equals(citation);
    }

    @Override
    public int hashCode() {
        return citation.hashCode();
    }

    /** The citation as it stands in audit records: section, name, provenance. */
    @Override
    public String toString() {
        return citation;
    }
}
