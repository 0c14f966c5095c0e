package dev.parley.dialogue;

import dev.parley.avro.Rule;

/** Writes rules as text for assertions. */
public final class Citations {
    private Citations() {}

    /** Returns section, text and provenance: "1.4: NEW × REQUEST → REQUESTED [S]". */
    public static String cited(Rule rule) {
        return rule.getSection() + ": " + rule.getText() + " [" + rule.getProvenance() + "]";
    }
}
