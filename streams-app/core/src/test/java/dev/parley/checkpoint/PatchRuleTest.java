package dev.parley.checkpoint;

import static dev.parley.dialogue.Citations.cited;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PatchRuleTest {
    @Test
    void aRuleIsCitedWithSectionTextAndProvenance() {
        assertThat(cited(PatchRule.APPLIED.rule())).isEqualTo("3.3b: otherwise → applied, t = operations(b) [S]");
        assertThat(cited(PatchRule.SELF_APPLY.rule())).isEqualTo("3.2 C18: b = t → CSP_SELF_APPLY [I]");
        assertThat(Arrays.stream(PatchRule.values()).map(PatchRule::rule)).doesNotHaveDuplicates();
    }
}
