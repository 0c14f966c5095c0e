package dev.parley.dialogue.lambda;

import static dev.parley.avro.LambdaFloor.CONTINUE;
import static dev.parley.avro.LambdaFloor.INTERJECT;
import static dev.parley.avro.LambdaFloor.TAKE;
import static dev.parley.avro.LambdaFloor.YIELD;
import static dev.parley.dialogue.LambdaSpeech.floor;
import static dev.parley.dialogue.LambdaSpeech.message;
import static dev.parley.dialogue.LambdaSpeech.says;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.LambdaFloor;
import dev.parley.avro.LambdaKind;
import dev.parley.avro.LambdaState;
import dev.parley.avro.LambdaStatementKind;
import dev.parley.codec.Code;
import dev.parley.dialogue.LambdaDialogueDriver;
import dev.parley.dialogue.LambdaSpeech;
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
        for (LambdaSpeech speech :
                List.of(floor(mark), message(LambdaKind.FLOOR).after(mark))) {
            LambdaDialogueDriver talk = held(holder);
            talk.hear(speech.by(known(sender)));

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
    void nobodySaysAnythingWhileAnotherHoldsTheFloor(LambdaStatementKind kind) {
        held("A").rejects(says(kind).by("B"), Code.LAMBDA_FLOOR);
        held("A").hearLegal(says(kind).by("A"));
        held("A").hearLegal(says(kind));
        held("?").hearLegal(says(kind).by("B"));
    }

    @ParameterizedTest
    @EnumSource(
            value = LambdaKind.class,
            names = {"HANDSHAKE", "CONTEXT_ONLY", "DATA_ONLY", "ENCRYPTED"})
    void messagesWithoutStatementsNeedTheFloorToo(LambdaKind kind) {
        held("A").rejects(message(kind).by("B"), Code.LAMBDA_FLOOR);
        held("A").hearLegal(message(kind).by("A"));
    }

    @ParameterizedTest
    @EnumSource(
            value = LambdaStatementKind.class,
            names = {"ACK", "ACK_URGENT", "AGREE", "DISAGREE", "COUNTER", "CLARIFY", "ERROR"})
    void acknowledgementsAndErrorsNeedNoFloor(LambdaStatementKind kind) {
        held("A")
                .hearLegal(says(LambdaStatementKind.ASSERT).by("A"))
                .hearLegal(says(kind).by("B"));
        held("A")
                .hearLegal(says(LambdaStatementKind.ASSERT).by("A"))
                .rejects(says(kind, LambdaStatementKind.ASSERT).by("B"), Code.LAMBDA_FLOOR);
        held("A")
                .hearLegal(says(LambdaStatementKind.ASSERT).by("A"))
                .rejects(says(kind).before(CONTINUE).by("B"), Code.LAMBDA_FLOOR);
    }

    @Test
    void anInterjectionMaySayAnythingAndDrivesTheMachine() {
        held("A")
                .hearLegal(says(LambdaStatementKind.ASK).before(INTERJECT).by("B"))
                .standsIn(LambdaState.Q_PEND);
        held("A")
                .hearLegal(says(LambdaStatementKind.ASK).after(INTERJECT).by("B"))
                .standsIn(LambdaState.Q_PEND);
    }

    @Test
    void anInterjectionDoesNotTakeTheFloorFromItsHolder() {
        held("A")
                .rejects(
                        says(LambdaStatementKind.ASK)
                                .before(INTERJECT)
                                .after(TAKE)
                                .by("B"),
                        Code.LAMBDA_FLOOR);
    }

    @Test
    void marksDoNotKeepAStatementFromDrivingTheMachine() {
        LambdaDialogueDriver talk = new LambdaDialogueDriver()
                .hearLegal(says(LambdaStatementKind.ASSERT).before(TAKE).by("A"))
                .standsIn(LambdaState.SAID);
        assertThat(talk.dialogue().getFloorHolder()).isEqualTo("A");
        talk.hearLegal(says(LambdaStatementKind.ASK)
                        .before(CONTINUE)
                        .after(YIELD)
                        .by("A"))
                .standsIn(LambdaState.Q_PEND);
        assertThat(talk.dialogue().getFloorHeld()).isFalse();
        talk.hearLegal(says(LambdaStatementKind.ASSERT).by("B"));
    }

    @Test
    void aMarkBeforeHoldsBeforeTheStatementAndAMarkAfterHoldsAfterIt() {
        LambdaDialogueDriver talk = held("A")
                .hearLegal(says(LambdaStatementKind.ASSERT)
                        .before(YIELD)
                        .after(TAKE)
                        .by("A"));
        assertThat(talk.dialogue().getFloorHolder()).isEqualTo("A");
    }

    @Test
    void aViolationOfTheFloorMovesNothing() {
        LambdaDialogueDriver talk = held("A");
        talk.rejects(
                says(LambdaStatementKind.ASSERT).define("co", "x").after(TAKE).by("B"), Code.LAMBDA_FLOOR);
        assertThat(talk.last().rule()).hasToString("Λ 4.3: floor HELD(x) × message by y → LAMBDA_FLOOR [I]");
        talk.standsIn(LambdaState.IDLE);
    }

    @ParameterizedTest
    @CsvSource({"TAKE, >>", "YIELD, <<", "CONTINUE, --"})
    void aRefusedMarkIsCitedBeforeTheStatementThatItOpens(LambdaFloor mark, String sign) {
        LambdaDialogueDriver talk =
                held("A").rejects(says(LambdaStatementKind.ASSERT).before(mark).by("B"), Code.LAMBDA_FLOOR);
        assertThat(talk.last().rule()).hasToString("Λ 4.3: floor HELD(x) × " + sign + " by y → LAMBDA_FLOOR [I]");
    }

    @Test
    void whatAStatementViolatesDecidesBeforeTheMarkAfterIt() {
        LambdaDialogueDriver talk = held("A")
                .rejects(says(LambdaStatementKind.ACK).after(TAKE).by("B"), Code.LAMBDA_ACK_WITHOUT_ANTECEDENT);
        assertThat(talk.last().rule().name()).isEqualTo("IDLE × ACK → LAMBDA_ACK_WITHOUT_ANTECEDENT");
        held("A")
                .hearLegal(says(LambdaStatementKind.ASSERT).before(INTERJECT).by("B"))
                .rejects(says(LambdaStatementKind.ACK).after(TAKE).by("B"), Code.LAMBDA_SELF_ACK);
    }

    @Test
    void theThirdErrorDecidesBeforeTheMarkAfterIt() {
        held("A")
                .hearLegal(says(LambdaStatementKind.ASSERT).by("A"))
                .hearLegal(says(LambdaStatementKind.ERROR).by("B"))
                .warns(says(LambdaStatementKind.ERROR).by("A"), Code.LAMBDA_ERROR_LOOP)
                .rejects(says(LambdaStatementKind.ERROR).after(TAKE).by("B"), Code.LAMBDA_ERROR_LOOP);
    }

    @Test
    void aStatementIsCitedBeforeTheMarkAfterIt() {
        LambdaDialogueDriver talk = new LambdaDialogueDriver()
                .hearLegal(says(LambdaStatementKind.ASSERT).after(TAKE).by("A"));
        assertThat(talk.last().rule().name()).isEqualTo("IDLE × A → SAID");
    }

    @Test
    void aMarkAloneIsCitedAndMovesNoState() {
        LambdaDialogueDriver talk =
                new LambdaDialogueDriver().hearLegal(floor(TAKE).by("A")).standsIn(LambdaState.IDLE);
        assertThat(talk.last().rule()).hasToString("Λ 4.3: floor × >> by x → HELD(x) [I]");
    }

    private static LambdaDialogueDriver held(String holder) {
        LambdaDialogueDriver talk = new LambdaDialogueDriver();
        return holder.equals("-") ? talk : talk.hearLegal(floor(TAKE).by(known(holder)));
    }

    private static String known(String agent) {
        return agent.equals("?") || agent.equals("-") ? null : agent;
    }
}
