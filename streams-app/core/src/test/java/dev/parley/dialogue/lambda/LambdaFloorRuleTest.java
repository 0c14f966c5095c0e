package dev.parley.dialogue.lambda;

import static dev.parley.avro.LambdaFloor.CONTINUE;
import static dev.parley.avro.LambdaFloor.INTERJECT;
import static dev.parley.avro.LambdaFloor.TAKE;
import static dev.parley.avro.LambdaFloor.YIELD;
import static dev.parley.dialogue.Citations.cited;
import static dev.parley.dialogue.LambdaMessageBuilder.floor;
import static dev.parley.dialogue.LambdaMessageBuilder.message;
import static dev.parley.dialogue.LambdaMessageBuilder.statements;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.LambdaFloor;
import dev.parley.avro.LambdaKind;
import dev.parley.avro.LambdaState;
import dev.parley.avro.LambdaStatementKind;
import dev.parley.codec.Code;
import dev.parley.dialogue.LambdaDialogueDriver;
import dev.parley.dialogue.LambdaMessageBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LambdaFloorRuleTest {
    /** Holder before ("-" free, "?" unknown), sender, mark; holder after, violation, warning. */
    @ParameterizedTest(name = "{1} says {2} while {0} holds")
    @CsvSource(textBlock = """
            -, A, TAKE, A, ,
            -, ?, TAKE, ?, ,
            A, A, TAKE, A, , LAMBDA_UNEXPECTED
            A, B, TAKE, A, LAMBDA_FLOOR,
            A, ?, TAKE, ?, ,
            ?, B, TAKE, B, ,
            ?, ?, TAKE, ?, ,
            -, A, YIELD, -, , LAMBDA_UNEXPECTED
            -, ?, YIELD, -, , LAMBDA_UNEXPECTED
            A, A, YIELD, -, ,
            A, B, YIELD, A, LAMBDA_FLOOR,
            A, ?, YIELD, -, ,
            ?, B, YIELD, -, ,
            ?, ?, YIELD, -, ,
            -, A, CONTINUE, -, , LAMBDA_UNEXPECTED
            -, ?, CONTINUE, -, , LAMBDA_UNEXPECTED
            A, A, CONTINUE, A, ,
            A, B, CONTINUE, A, LAMBDA_FLOOR,
            A, ?, CONTINUE, A, ,
            ?, B, CONTINUE, ?, ,
            ?, ?, CONTINUE, ?, ,
            -, A, INTERJECT, -, ,
            A, A, INTERJECT, A, ,
            A, B, INTERJECT, A, ,
            A, ?, INTERJECT, A, ,
            ?, B, INTERJECT, ?, ,
            """)
    void everyMarkByEverySender(
            String holder, String sender, LambdaFloor mark, String holderAfter, Code violation, Code warning) {
        for (LambdaMessageBuilder speech :
                List.of(floor(mark), message(LambdaKind.FLOOR).after(mark))) {
            LambdaDialogueDriver talk = held(holder);
            talk.judge(speech.by(known(sender)));

            assertThat(talk.last().violation()).isEqualTo(violation);
            assertThat(talk.last().warnings()).isEqualTo(warning == null ? List.of() : List.of(warning));
            assertThat(talk.dialogue() != null && talk.dialogue().getFloorHeld())
                    .isEqualTo(!holderAfter.equals("-"));
            if (talk.dialogue() != null) {
                assertThat(talk.dialogue().getFloorHolder()).isEqualTo(known(holderAfter));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = LambdaStatementKind.class,
            names = {"ASK", "ASSERT", "SUPPOSE", "COMMAND", "OFFER", "META", "REFERENCE", "DATA"})
    void otherAgentsAreRejectedWhileOneHoldsTheFloor(LambdaStatementKind kind) {
        held("A").rejects(statements(kind).by("B"), Code.LAMBDA_FLOOR);
        held("A").accepts(statements(kind).by("A"));
        held("A").accepts(statements(kind));
        held("?").accepts(statements(kind).by("B"));
    }

    @ParameterizedTest
    @EnumSource(
            value = LambdaKind.class,
            names = {"HANDSHAKE", "CONTEXT_ONLY", "DATA_ONLY", "ENCRYPTED"})
    void messagesWithoutStatementsNeedTheFloorToo(LambdaKind kind) {
        held("A").rejects(message(kind).by("B"), Code.LAMBDA_FLOOR);
        held("A").accepts(message(kind).by("A"));
    }

    @ParameterizedTest
    @EnumSource(
            value = LambdaStatementKind.class,
            names = {"ACK", "ACK_URGENT", "AGREE", "DISAGREE", "COUNTER", "CLARIFY", "ERROR"})
    void acknowledgementsAndErrorsNeedNoFloor(LambdaStatementKind kind) {
        held("A")
                .accepts(statements(LambdaStatementKind.ASSERT).by("A"))
                .accepts(statements(kind).by("B"));
        held("A")
                .accepts(statements(LambdaStatementKind.ASSERT).by("A"))
                .rejects(statements(kind, LambdaStatementKind.ASSERT).by("B"), Code.LAMBDA_FLOOR);
        held("A")
                .accepts(statements(LambdaStatementKind.ASSERT).by("A"))
                .rejects(statements(kind).before(CONTINUE).by("B"), Code.LAMBDA_FLOOR);
    }

    @Test
    void anInterjectionMaySayAnythingAndDrivesTheMachine() {
        held("A")
                .accepts(statements(LambdaStatementKind.ASK).before(INTERJECT).by("B"))
                .hasState(LambdaState.Q_PEND);
        held("A")
                .accepts(statements(LambdaStatementKind.ASK).after(INTERJECT).by("B"))
                .hasState(LambdaState.Q_PEND);
    }

    @Test
    void anInterjectionDoesNotTakeTheFloorFromItsHolder() {
        held("A")
                .rejects(
                        statements(LambdaStatementKind.ASK)
                                .before(INTERJECT)
                                .after(TAKE)
                                .by("B"),
                        Code.LAMBDA_FLOOR);
    }

    @Test
    void marksDoNotKeepAStatementFromDrivingTheMachine() {
        LambdaDialogueDriver talk = new LambdaDialogueDriver()
                .accepts(statements(LambdaStatementKind.ASSERT).before(TAKE).by("A"))
                .hasState(LambdaState.SAID);
        assertThat(talk.dialogue().getFloorHolder()).isEqualTo("A");
        talk.accepts(statements(LambdaStatementKind.ASK)
                        .before(CONTINUE)
                        .after(YIELD)
                        .by("A"))
                .hasState(LambdaState.Q_PEND);
        assertThat(talk.dialogue().getFloorHeld()).isFalse();
        talk.accepts(statements(LambdaStatementKind.ASSERT).by("B"));
    }

    @Test
    void aMarkBeforeHoldsBeforeTheStatementAndAMarkAfterHoldsAfterIt() {
        LambdaDialogueDriver talk = held("A")
                .accepts(statements(LambdaStatementKind.ASSERT)
                        .before(YIELD)
                        .after(TAKE)
                        .by("A"));
        assertThat(talk.dialogue().getFloorHolder()).isEqualTo("A");
    }

    @Test
    void aViolationOfTheFloorMovesNothing() {
        LambdaDialogueDriver talk = held("A");
        talk.rejects(
                statements(LambdaStatementKind.ASSERT)
                        .define("co", "x")
                        .after(TAKE)
                        .by("B"),
                Code.LAMBDA_FLOOR);
        assertThat(cited(talk.last().rule())).isEqualTo("4.3: floor HELD(x) × message by y → LAMBDA_FLOOR [I]");
        talk.hasState(LambdaState.IDLE);
    }

    @ParameterizedTest
    @CsvSource({"TAKE, >>", "YIELD, <<", "CONTINUE, --"})
    void aRefusedMarkIsCitedBeforeTheStatementThatItOpens(LambdaFloor mark, String sign) {
        LambdaDialogueDriver talk = held("A")
                .rejects(statements(LambdaStatementKind.ASSERT).before(mark).by("B"), Code.LAMBDA_FLOOR);
        assertThat(cited(talk.last().rule())).isEqualTo("4.3: floor HELD(x) × " + sign + " by y → LAMBDA_FLOOR [I]");
    }

    @Test
    void aViolationOfAStatementDecidesBeforeTheMarkAfterIt() {
        LambdaDialogueDriver talk = held("A")
                .rejects(statements(LambdaStatementKind.ACK).after(TAKE).by("B"), Code.LAMBDA_ACK_WITHOUT_ANTECEDENT);
        assertThat(talk.last().rule().getText()).isEqualTo("IDLE × ACK → LAMBDA_ACK_WITHOUT_ANTECEDENT");
        held("A")
                .accepts(
                        statements(LambdaStatementKind.ASSERT).before(INTERJECT).by("B"))
                .rejects(statements(LambdaStatementKind.ACK).after(TAKE).by("B"), Code.LAMBDA_SELF_ACK);
    }

    @Test
    void theThirdErrorDecidesBeforeTheMarkAfterIt() {
        held("A")
                .accepts(statements(LambdaStatementKind.ASSERT).by("A"))
                .accepts(statements(LambdaStatementKind.ERROR).by("B"))
                .warns(statements(LambdaStatementKind.ERROR).by("A"), Code.LAMBDA_ERROR_LOOP)
                .rejects(statements(LambdaStatementKind.ERROR).after(TAKE).by("B"), Code.LAMBDA_ERROR_LOOP);
    }

    @Test
    void aStatementIsCitedBeforeTheMarkAfterIt() {
        LambdaDialogueDriver talk = new LambdaDialogueDriver()
                .accepts(statements(LambdaStatementKind.ASSERT).after(TAKE).by("A"));
        assertThat(talk.last().rule().getText()).isEqualTo("IDLE × A → SAID");
    }

    @Test
    void aMarkAloneIsCitedAndMovesNoState() {
        LambdaDialogueDriver talk =
                new LambdaDialogueDriver().accepts(floor(TAKE).by("A")).hasState(LambdaState.IDLE);
        assertThat(cited(talk.last().rule())).isEqualTo("4.3: floor × >> by x → HELD(x) [I]");
    }

    private static LambdaDialogueDriver held(String holder) {
        LambdaDialogueDriver talk = new LambdaDialogueDriver();
        return holder.equals("-") ? talk : talk.accepts(floor(TAKE).by(known(holder)));
    }

    private static String known(String agent) {
        return agent.equals("?") || agent.equals("-") ? null : agent;
    }
}
