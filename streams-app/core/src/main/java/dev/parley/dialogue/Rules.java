package dev.parley.dialogue;

import dev.parley.avro.Provenance;
import dev.parley.avro.Rule;

/**
 * Creates the rules that verdicts cite. Rules are created once and shared by all audit records that cite them, so they
 * must not be changed.
 */
public final class Rules {
    private Rules() {}

    /**
     * Creates a rule outside of tables.
     *
     * @param text the rule in words
     * @param section section of docs/protocols.md, for example "1.3"
     */
    public static Rule of(String text, Provenance provenance, String section) {
        return new Rule(section, provenance.name(), text, null, null, null);
    }

    /** Returns a copy of a rule with a remark after its text. */
    public static Rule withRemark(Rule rule, String remark) {
        return new Rule(
                rule.getSection(),
                rule.getProvenance(),
                rule.getText() + "; " + remark,
                rule.getBefore(),
                rule.getAct(),
                rule.getAfter());
    }
}
