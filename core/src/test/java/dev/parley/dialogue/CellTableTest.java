package dev.parley.dialogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.SubitState;
import dev.parley.avro.SubitType;
import dev.parley.codec.Code;
import dev.parley.dialogue.CellTable.Cell;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CellTableTest {
    @Test
    void aCellKnowsTargetCodesAndCitation() {
        CellTable<SubitState, SubitType> table = read("""
                | State | STATE   | INTENT                            | ACTION                     |
                | START | STATE S | INTENT W SUBIT_INTENT_REPEATED C  | V SUBIT_NO_INITIAL_STATE I |
                """);
        assertThat(table.at(SubitState.START, SubitType.STATE))
                .isEqualTo(new Cell<>(SubitState.STATE, null, null, rule("STATE → STATE", Rule.Provenance.S)));
        assertThat(table.at(SubitState.START, SubitType.INTENT))
                .isEqualTo(new Cell<>(
                        SubitState.INTENT,
                        null,
                        Code.SUBIT_INTENT_REPEATED,
                        rule("INTENT → INTENT W SUBIT_INTENT_REPEATED", Rule.Provenance.C)));
        assertThat(table.at(SubitState.START, SubitType.ACTION))
                .isEqualTo(new Cell<>(
                        null,
                        Code.SUBIT_NO_INITIAL_STATE,
                        null,
                        rule("ACTION → V SUBIT_NO_INITIAL_STATE", Rule.Provenance.I)));
    }

    @Test
    void aCellThatIsNotThereIsNotGuessed() {
        CellTable<SubitState, SubitType> table = read("""
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
    void whatIsNoTableIsRefused(String rows) {
        assertThatThrownBy(() -> read("| State | STATE |\n" + rows)).isInstanceOf(IllegalArgumentException.class);
    }

    private static CellTable<SubitState, SubitType> read(String text) {
        return CellTable.read("PAGE 1", "", SubitState.class, SubitType.class, text);
    }

    private static Rule rule(String name, Rule.Provenance provenance) {
        return new Rule("START × " + name, provenance, "PAGE 1");
    }
}
