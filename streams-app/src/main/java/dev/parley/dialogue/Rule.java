package dev.parley.dialogue;

/**
 * The rule that decided about a message, so that a verdict can cite it.
 *
 * @param name what was applied, for example "REQUESTED × PROPOSE → PROPOSED"
 * @param provenance on whose authority
 * @param section where it stands, for example "SLIP 1.4"
 */
public record Rule(String name, Provenance provenance, String section) {

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

    /** The citation as it stands in audit records: section, name, provenance. */
    @Override
    public String toString() {
        return section + ": " + name + " [" + provenance + "]";
    }
}
