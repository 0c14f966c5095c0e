package dev.parley.dialogue;

/**
 * A rule that decided about a message, cited by the verdict. Rules of tables are created once, with their citations.
 */
public final class Rule {
    private final String name;
    private final Provenance provenance;
    private final String section;
    private final String citation;

    /**
     * Creates a rule.
     *
     * @param name the applied rule, for example "REQUESTED × PROPOSE → PROPOSED"
     * @param provenance authority of the rule
     * @param section section of the documentation, for example "SLIP 1.4"
     */
    public Rule(String name, Provenance provenance, String section) {
        this.name = name;
        this.provenance = provenance;
        this.section = section;
        this.citation = section + ": " + name + " [" + provenance + "]";
    }

    public String name() {
        return name;
    }

    public Provenance provenance() {
        return provenance;
    }

    public String section() {
        return section;
    }

    /** Authority of a rule. */
    public enum Provenance {
        /** The protocol document. */
        S,
        /** The protocol's companion documents. */
        C,
        /** The protocol's reference implementation. */
        R,
        /** Parley's interpretation, where the documents are silent or contradict themselves. */
        I
    }

    /** Rules are equal if their citations are. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Rule rule && rule.citation.equals(citation);
    }

    @Override
    public int hashCode() {
        return citation.hashCode();
    }

    /** The citation in audit records: section, name, provenance. */
    @Override
    public String toString() {
        return citation;
    }
}
