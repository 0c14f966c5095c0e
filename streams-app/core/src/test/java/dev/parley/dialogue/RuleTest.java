package dev.parley.dialogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.dialogue.Rule.Provenance;
import java.util.List;
import org.junit.jupiter.api.Test;

class RuleTest {
    private static final Rule RULE = new Rule("A × B → C", Provenance.S, "PAGE 1");

    @Test
    void rulesAreEqualWhenTheyAreCitedAlike() {
        Rule same = new Rule("A × B → C", Provenance.S, "PAGE 1");
        assertThat(same).isEqualTo(RULE).hasSameHashCodeAs(RULE).hasToString("PAGE 1: A × B → C [S]");
    }

    @Test
    void anotherNameProvenanceOrSectionIsAnotherRule() {
        for (Object other : List.of(
                new Rule("A × B → D", Provenance.S, "PAGE 1"),
                new Rule("A × B → C", Provenance.I, "PAGE 1"),
                new Rule("A × B → C", Provenance.S, "PAGE 2"),
                RULE.toString())) {
            assertThat(RULE).isNotEqualTo(other);
        }
    }

    @Test
    void hashesTellRulesApart() {
        assertThat(new Rule("A × B → D", Provenance.S, "PAGE 1")).doesNotHaveSameHashCodeAs(RULE);
    }
}
