package dev.parley.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PatchRuleTest {
    @Test
    void aRuleIsCitedWithSectionNameAndProvenance() {
        assertThat(PatchRule.APPLIED).hasToString("CSP 3.3b: otherwise → applied, t = operations(b) [S]");
        assertThat(PatchRule.SELF_APPLY).hasToString("CSP 3.3b: b = t → CSP_SELF_APPLY [I]");
        assertThat(Arrays.stream(PatchRule.values()).map(PatchRule::toString))
                .allMatch(text -> text.startsWith("CSP 3.3b: "))
                .doesNotHaveDuplicates();
    }
}
