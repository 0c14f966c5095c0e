package dev.parley.dialogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.Provenance;
import dev.parley.avro.Rule;
import dev.parley.avro.SubitState;
import dev.parley.avro.SubitType;
import dev.parley.codec.Code;
import dev.parley.dialogue.TransitionTable.Cell;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransitionTableTest {
    @Test
    void aCellKnowsTargetCodesAndCitation() {
        TransitionTable<SubitState, SubitType> table = read("""
                | State | STATE   | INTENT                            | ACTION                     |
                | START | STATE S | INTENT W SUBIT_INTENT_REPEATED C  | V SUBIT_NO_INITIAL_STATE I |
                """);
        assertThat(table.at(SubitState.START, SubitType.STATE))
                .isEqualTo(new Cell<>(SubitState.STATE, null, null, rule("STATE", "STATE", "STATE", Provenance.S)));
        assertThat(table.at(SubitState.START, SubitType.INTENT))
                .isEqualTo(new Cell<>(
                        SubitState.INTENT,
                        null,
                        Code.SUBIT_INTENT_REPEATED,
                        rule("INTENT", "INTENT", "INTENT W SUBIT_INTENT_REPEATED", Provenance.C)));
        assertThat(table.at(SubitState.START, SubitType.ACTION))
                .isEqualTo(new Cell<>(
                        null,
                        Code.SUBIT_NO_INITIAL_STATE,
                        null,
                        rule("ACTION", null, "V SUBIT_NO_INITIAL_STATE", Provenance.I)));
    }

    @Test
    void aCellThatIsNotThereIsNotGuessed() {
        TransitionTable<SubitState, SubitType> table = read("""
                | State | STATE   |
                | START | STATE S |
                """);
        assertThatThrownBy(() -> table.at(SubitState.START, SubitType.ACTION)).hasMessageContaining("START × ACTION");
        assertThatThrownBy(() -> table.at(SubitState.PLAN, SubitType.STATE)).hasMessageContaining("PLAN × STATE");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "| START | STATE S | STATE S |",
                "| START |",
                "| BEGIN | STATE S |",
                "| START | STATE |",
                "| START | STATE X |",
                "| START | BEGIN S |",
                "| START | V NO_SUCH_CODE S |",
                "| START | V SUBIT_NO_INITIAL_STATE W S |",
                "| START | STATE SUBIT_STATE_REPEATED S |",
                "| START | STATE W SUBIT_STATE_REPEATED S S |",
                "| START | STATE V SUBIT_STATE_REPEATED S |",
                "| START | |",
                "| START | STATE S |\n| START | STATE S |"
            })
    void aMalformedTableIsRefused(String rows) {
        assertThatThrownBy(() -> read("| State | STATE |\n" + rows)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aTableInPartsIsOne() {
        TransitionTable<SubitState, SubitType> table = TransitionTable.of("PAGE 1", SubitState.class, SubitType.class)
                .read("| State | STATE |\n| START | STATE S |", "| State | INTENT |\n| START | stay I |");
        assertThat(table.at(SubitState.START, SubitType.STATE).target()).isEqualTo(SubitState.STATE);
        assertThat(table.at(SubitState.START, SubitType.INTENT).target()).isEqualTo(SubitState.START);
    }

    @Test
    void aTableMayCiteOutcomesAndLeaveTargetsUnnamed() {
        TransitionTable<SubitState, SubitType> table = TransitionTable.of("PAGE 1", SubitState.class, SubitType.class)
                .citingOutcomes()
                .withUnnamedTarget((state, type) -> SubitState.PLAN)
                .read("""
                | State | STATE         | INTENT                            | ACTION                   | PLAN                             |
                | START | STATE (sad) S | INTENT W SUBIT_INTENT_REPEATED C  | W SUBIT_STATE_REPEATED I | V SUBIT_NO_INITIAL_STATE I       |
                """);
        assertThat(table.at(SubitState.START, SubitType.STATE))
                .isEqualTo(new Cell<>(SubitState.STATE, null, null, rule("STATE", "STATE", "STATE sad", Provenance.S)));
        assertThat(table.at(SubitState.START, SubitType.INTENT).rule())
                .isEqualTo(rule("INTENT", "INTENT", "INTENT", Provenance.C));
        assertThat(table.at(SubitState.START, SubitType.ACTION))
                .isEqualTo(new Cell<>(
                        SubitState.PLAN,
                        null,
                        Code.SUBIT_STATE_REPEATED,
                        rule("ACTION", "PLAN", "PLAN", Provenance.I)));
        assertThat(table.at(SubitState.START, SubitType.PLAN).rule())
                .isEqualTo(rule("PLAN", null, "SUBIT_NO_INITIAL_STATE", Provenance.I));
    }

    private static TransitionTable<SubitState, SubitType> read(String text) {
        return TransitionTable.of("PAGE 1", SubitState.class, SubitType.class).read(text);
    }

    private static Rule rule(String act, String after, String outcome, Provenance provenance) {
        return new Rule("PAGE 1", provenance.name(), "START × " + act + " → " + outcome, "START", act, after);
    }
}
