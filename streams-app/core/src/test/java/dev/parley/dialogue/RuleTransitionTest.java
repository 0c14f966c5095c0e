package dev.parley.dialogue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class RuleTransitionTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SLIP 1.4: REQUESTED × INFORM → REPORTED W SLIP_REPORT_WITHOUT_PLAN [I]|REQUESTED|INFORM|REPORTED",
                "CSP 3.3a: OPEN × RESULT OK → DONE [S]|OPEN|RESULT OK|DONE",
                "SUBIT 2.4: INTENT of another agent × ACTION → ACTION S [S]|INTENT|ACTION|ACTION",
                "Λ 4.3: OFF_PEND × AGR → IDLE agreed [S]|OFF_PEND|AGR|IDLE",
                "Λ 4.3: SAID × ACK → IDLE; definition 1 changes the value set at sequence 2 [S]|SAID|ACK|IDLE"
            })
    void aCitationOfATableHasStatesAndAct(String citation, String before, String act, String after) {
        assertThat(RuleTransition.of(citation)).contains(new RuleTransition(before, act, after));
    }

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(
            strings = {
                "SLIP 1.4: OBSERVE, ASK, META → the task's state stays [I]",
                "CSP 3.3b: otherwise → applied, t = operations(b) [S]",
                "NEW × REQUEST → REQUESTED",
                "→ : ×"
            })
    void anyOtherTextHasNone(String citation) {
        assertThat(RuleTransition.of(citation)).isEmpty();
    }

    @Test
    void aCutCitationHasNoStateAfterIt() {
        assertThat(RuleTransition.of("SLIP 1.4: NEW × REQUEST → ")).contains(new RuleTransition("NEW", "REQUEST", ""));
    }
}
