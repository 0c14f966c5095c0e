package dev.parley.dialogue;

import static dev.parley.avro.LambdaState.CLARIFY;
import static dev.parley.avro.LambdaState.CMD_ACK;
import static dev.parley.avro.LambdaState.CMD_PEND;
import static dev.parley.avro.LambdaState.CTX_PEND;
import static dev.parley.avro.LambdaState.HANDSHAKE;
import static dev.parley.avro.LambdaState.IDLE;
import static dev.parley.avro.LambdaState.OFF_PEND;
import static dev.parley.avro.LambdaState.Q_PEND;
import static dev.parley.avro.LambdaState.SAID;
import static dev.parley.dialogue.LambdaDialogueDriver.in;
import static dev.parley.dialogue.LambdaSpeech.message;
import static dev.parley.dialogue.LambdaSpeech.says;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.LambdaFloor;
import dev.parley.avro.LambdaKind;
import dev.parley.avro.LambdaState;
import dev.parley.avro.LambdaStatementKind;
import dev.parley.codec.Code;
import dev.parley.dialogue.Rule.Provenance;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class LambdaTableTest {
    /** Every cell of PROTOCOLS 4.3: state, event, state after, violation, warning, provenance. */
    @ParameterizedTest(name = "{0} × {1}")
    @CsvSource(textBlock = """
            IDLE, HS, HANDSHAKE, , , S
            IDLE, HSR, IDLE, LAMBDA_HANDSHAKE_REPLY_WITHOUT_REQUEST, , I
            IDLE, CTX, CTX_PEND, , , S
            IDLE, Q, Q_PEND, , , S
            IDLE, A, SAID, , , S
            IDLE, C, CMD_PEND, , , S
            IDLE, OFF, OFF_PEND, , , S
            IDLE, ACK, IDLE, LAMBDA_ACK_WITHOUT_ANTECEDENT, , I
            IDLE, AGR, IDLE, LAMBDA_ACK_WITHOUT_ANTECEDENT, , I
            IDLE, DIS, IDLE, LAMBDA_ACK_WITHOUT_ANTECEDENT, , I
            IDLE, CNT, IDLE, LAMBDA_ACK_WITHOUT_ANTECEDENT, , I
            IDLE, CLR, IDLE, LAMBDA_ACK_WITHOUT_ANTECEDENT, , I
            IDLE, ERR, IDLE, LAMBDA_ERROR_WITHOUT_ANTECEDENT, , I
            HANDSHAKE, HS, HANDSHAKE, , LAMBDA_UNEXPECTED, I
            HANDSHAKE, HSR, IDLE, , , S
            HANDSHAKE, CTX, HANDSHAKE, , LAMBDA_UNEXPECTED, I
            HANDSHAKE, Q, Q_PEND, , LAMBDA_UNEXPECTED, I
            HANDSHAKE, A, SAID, , LAMBDA_UNEXPECTED, I
            HANDSHAKE, C, CMD_PEND, , LAMBDA_UNEXPECTED, I
            HANDSHAKE, OFF, OFF_PEND, , LAMBDA_UNEXPECTED, I
            HANDSHAKE, ACK, HANDSHAKE, , LAMBDA_UNEXPECTED, I
            HANDSHAKE, AGR, IDLE, , , I
            HANDSHAKE, DIS, IDLE, , , I
            HANDSHAKE, CNT, HANDSHAKE, LAMBDA_ACK_WITHOUT_ANTECEDENT, , I
            HANDSHAKE, CLR, CLARIFY, , , I
            HANDSHAKE, ERR, IDLE, , , I
            CTX_PEND, HS, HANDSHAKE, , LAMBDA_UNEXPECTED, I
            CTX_PEND, HSR, CTX_PEND, LAMBDA_HANDSHAKE_REPLY_WITHOUT_REQUEST, , I
            CTX_PEND, CTX, CTX_PEND, , , I
            CTX_PEND, Q, Q_PEND, , LAMBDA_CTX_NOT_ACKED, I
            CTX_PEND, A, SAID, , LAMBDA_CTX_NOT_ACKED, I
            CTX_PEND, C, CMD_PEND, , LAMBDA_CTX_NOT_ACKED, I
            CTX_PEND, OFF, OFF_PEND, , LAMBDA_CTX_NOT_ACKED, I
            CTX_PEND, ACK, IDLE, , , S
            CTX_PEND, AGR, IDLE, , , S
            CTX_PEND, DIS, IDLE, , , I
            CTX_PEND, CNT, CTX_PEND, LAMBDA_ACK_WITHOUT_ANTECEDENT, , I
            CTX_PEND, CLR, CLARIFY, , , I
            CTX_PEND, ERR, CLARIFY, , , S
            Q_PEND, HS, HANDSHAKE, , LAMBDA_UNEXPECTED, I
            Q_PEND, HSR, Q_PEND, LAMBDA_HANDSHAKE_REPLY_WITHOUT_REQUEST, , I
            Q_PEND, CTX, CTX_PEND, , , I
            Q_PEND, Q, Q_PEND, , LAMBDA_UNEXPECTED, I
            Q_PEND, A, SAID, , , S
            Q_PEND, C, CMD_PEND, , LAMBDA_UNEXPECTED, I
            Q_PEND, OFF, OFF_PEND, , LAMBDA_UNEXPECTED, I
            Q_PEND, ACK, Q_PEND, , , I
            Q_PEND, AGR, Q_PEND, , LAMBDA_AGREE_TO_QUESTION, I
            Q_PEND, DIS, IDLE, , , I
            Q_PEND, CNT, Q_PEND, LAMBDA_ACK_WITHOUT_ANTECEDENT, , I
            Q_PEND, CLR, CLARIFY, , , I
            Q_PEND, ERR, CLARIFY, , , S
            SAID, HS, HANDSHAKE, , LAMBDA_UNEXPECTED, I
            SAID, HSR, SAID, LAMBDA_HANDSHAKE_REPLY_WITHOUT_REQUEST, , I
            SAID, CTX, CTX_PEND, , , I
            SAID, Q, Q_PEND, , , I
            SAID, A, SAID, , , I
            SAID, C, CMD_PEND, , , I
            SAID, OFF, OFF_PEND, , , I
            SAID, ACK, IDLE, , , S
            SAID, AGR, IDLE, , , S
            SAID, DIS, IDLE, , , I
            SAID, CNT, OFF_PEND, , , I
            SAID, CLR, CLARIFY, , , S
            SAID, ERR, CLARIFY, , , S
            CLARIFY, HS, HANDSHAKE, , LAMBDA_UNEXPECTED, I
            CLARIFY, HSR, CLARIFY, LAMBDA_HANDSHAKE_REPLY_WITHOUT_REQUEST, , I
            CLARIFY, CTX, CTX_PEND, , , S
            CLARIFY, Q, Q_PEND, , , I
            CLARIFY, A, SAID, , , I
            CLARIFY, C, CMD_PEND, , , I
            CLARIFY, OFF, OFF_PEND, , , I
            CLARIFY, ACK, IDLE, , , I
            CLARIFY, AGR, IDLE, , , I
            CLARIFY, DIS, IDLE, , , I
            CLARIFY, CNT, CLARIFY, LAMBDA_ACK_WITHOUT_ANTECEDENT, , I
            CLARIFY, CLR, CLARIFY, , , I
            CLARIFY, ERR, CLARIFY, , LAMBDA_ERROR_LOOP, I
            CMD_PEND, HS, HANDSHAKE, , LAMBDA_UNEXPECTED, I
            CMD_PEND, HSR, CMD_PEND, LAMBDA_HANDSHAKE_REPLY_WITHOUT_REQUEST, , I
            CMD_PEND, CTX, CTX_PEND, , , I
            CMD_PEND, Q, Q_PEND, , LAMBDA_UNEXPECTED, I
            CMD_PEND, A, SAID, , LAMBDA_RESULT_BEFORE_ACK, I
            CMD_PEND, C, CMD_PEND, , LAMBDA_UNEXPECTED, I
            CMD_PEND, OFF, OFF_PEND, , LAMBDA_UNEXPECTED, I
            CMD_PEND, ACK, CMD_ACK, , , S
            CMD_PEND, AGR, CMD_ACK, , , I
            CMD_PEND, DIS, IDLE, , , I
            CMD_PEND, CNT, OFF_PEND, , , I
            CMD_PEND, CLR, CLARIFY, , , I
            CMD_PEND, ERR, CLARIFY, , , S
            CMD_ACK, HS, HANDSHAKE, , LAMBDA_UNEXPECTED, I
            CMD_ACK, HSR, CMD_ACK, LAMBDA_HANDSHAKE_REPLY_WITHOUT_REQUEST, , I
            CMD_ACK, CTX, CMD_ACK, , , I
            CMD_ACK, Q, CMD_ACK, , , I
            CMD_ACK, A, SAID, , , S
            CMD_ACK, C, CMD_PEND, , , I
            CMD_ACK, OFF, OFF_PEND, , , I
            CMD_ACK, ACK, CMD_ACK, , LAMBDA_UNEXPECTED, I
            CMD_ACK, AGR, CMD_ACK, , LAMBDA_UNEXPECTED, I
            CMD_ACK, DIS, CMD_ACK, LAMBDA_DISAGREE_AFTER_ACK, , I
            CMD_ACK, CNT, CMD_ACK, LAMBDA_DISAGREE_AFTER_ACK, , I
            CMD_ACK, CLR, CLARIFY, , , I
            CMD_ACK, ERR, IDLE, , , I
            OFF_PEND, HS, HANDSHAKE, , LAMBDA_UNEXPECTED, I
            OFF_PEND, HSR, OFF_PEND, LAMBDA_HANDSHAKE_REPLY_WITHOUT_REQUEST, , I
            OFF_PEND, CTX, OFF_PEND, , , I
            OFF_PEND, Q, Q_PEND, , , I
            OFF_PEND, A, OFF_PEND, , , I
            OFF_PEND, C, CMD_PEND, , , I
            OFF_PEND, OFF, OFF_PEND, , LAMBDA_OFFER_OVERLAP, I
            OFF_PEND, ACK, IDLE, , , I
            OFF_PEND, AGR, IDLE, , , S
            OFF_PEND, DIS, IDLE, , , I
            OFF_PEND, CNT, OFF_PEND, , , S
            OFF_PEND, CLR, CLARIFY, , , I
            OFF_PEND, ERR, CLARIFY, , , S
            """)
    void everyCellOfTheTable(
            LambdaState state,
            LambdaEvent event,
            LambdaState after,
            Code violation,
            Code warning,
            Provenance provenance) {
        LambdaDialogueDriver talk = in(state).hear(LambdaSpeech.of(event));

        assertThat(talk.last().violation()).isEqualTo(violation);
        assertThat(talk.last().warnings()).isEqualTo(warning == null ? List.of() : List.of(warning));
        assertThat(talk.dialogue().getState()).isEqualTo(after);
        assertThat(talk.last().rule().provenance()).isEqualTo(provenance);
        assertThat(talk.last().rule().section()).isEqualTo("Λ 4.3");
        assertThat(talk.last().rule().name())
                .startsWith(state + " × " + event + " → " + (violation == null ? after : violation));
    }

    @Test
    void theTableHasACellForEveryStateAndEvent() {
        for (LambdaState state : LambdaState.values()) {
            for (LambdaEvent event : LambdaEvent.values()) {
                assertThat(LambdaTable.cell(state, event))
                        .as(state + " × " + event)
                        .isNotNull();
            }
        }
    }

    @Test
    void whatAnEventOpensIsItsStateFromIdle() {
        for (LambdaEvent event : LambdaEvent.values()) {
            if (event.opens() != null && !event.acknowledges()) {
                assertThat(LambdaTable.cell(IDLE, event).target()).isEqualTo(event.opens());
            }
        }
    }

    @Test
    void anAgreementToAnOfferIsCitedAsSuch() {
        assertThat(in(OFF_PEND).hear(says(LambdaStatementKind.AGREE)).last().rule())
                .hasToString("Λ 4.3: OFF_PEND × AGR → IDLE agreed [S]");
    }

    @ParameterizedTest(name = "{0} drives as {1}")
    @CsvSource({
        "ASK, Q",
        "ASSERT, A",
        "SUPPOSE, A",
        "COMMAND, C",
        "OFFER, OFF",
        "ACK, ACK",
        "ACK_URGENT, ACK",
        "AGREE, AGR",
        "DISAGREE, DIS",
        "COUNTER, CNT",
        "CLARIFY, CLR",
        "ERROR, ERR"
    })
    void everyStatementHasItsColumn(LambdaStatementKind kind, LambdaEvent column) {
        assertThat(in(SAID).hear(says(kind)).last().rule().name()).startsWith("SAID × " + column + " →");
    }

    @ParameterizedTest
    @EnumSource(LambdaState.class)
    void metaReferenceAndDataMoveNothing(LambdaState state) {
        LambdaDialogueDriver talk = in(state);
        var before = talk.state();
        talk.hearLegal(says(LambdaStatementKind.META))
                .hearLegal(says(LambdaStatementKind.REFERENCE))
                .hearLegal(says(LambdaStatementKind.DATA))
                .hearLegal(message(LambdaKind.DATA_ONLY))
                .hearLegal(message(LambdaKind.ENCRYPTED));
        assertThat(talk.state()).isSameAs(before);
    }

    @Test
    void whatMovesNothingLeavesANewConversationNew() {
        LambdaDialogueDriver talk = new LambdaDialogueDriver();
        var before = talk.state();
        assertThat(talk.hearLegal(message(LambdaKind.ENCRYPTED)).state()).isSameAs(before);
    }

    static Stream<Arguments> statusReports() {
        return Stream.of(
                Arguments.of(LambdaStatementKind.ASSERT, List.of("st"), CMD_ACK),
                Arguments.of(LambdaStatementKind.ASSERT, List.of("st", "{", "}"), CMD_ACK),
                Arguments.of(LambdaStatementKind.ASSERT, List.of("s", "t"), CMD_ACK),
                Arguments.of(LambdaStatementKind.ASSERT, List.of("s"), SAID),
                Arguments.of(LambdaStatementKind.ASSERT, List.of("s", "x"), SAID),
                Arguments.of(LambdaStatementKind.ASSERT, List.of("x", "t"), SAID),
                Arguments.of(LambdaStatementKind.ASSERT, List.of("status"), SAID),
                Arguments.of(LambdaStatementKind.ASSERT, List.of("X", "st"), SAID),
                Arguments.of(LambdaStatementKind.ASSERT, List.of(), SAID),
                Arguments.of(LambdaStatementKind.SUPPOSE, List.of("st"), SAID));
    }

    @ParameterizedTest(name = "{0} {1} → {2}")
    @MethodSource("statusReports")
    void aStatusReportKeepsTheAcknowledgedCommandOpen(
            LambdaStatementKind kind, List<String> tokens, LambdaState after) {
        in(CMD_ACK)
                .hearLegal(message(LambdaKind.STATEMENTS).statement(kind, tokens.toArray(String[]::new)))
                .standsIn(after);
    }

    @Test
    void aStatusReportIsAnAssertionEverywhereElse() {
        in(CMD_PEND)
                .warns(
                        message(LambdaKind.STATEMENTS).statement(LambdaStatementKind.ASSERT, "st"),
                        Code.LAMBDA_RESULT_BEFORE_ACK)
                .standsIn(SAID);
    }

    @ParameterizedTest
    @EnumSource(LambdaState.class)
    void contextAndStatementInOneMessageTakeTheStatementsState(LambdaState state) {
        LambdaDialogueDriver alone = in(state).hear(says(LambdaStatementKind.OFFER));
        LambdaDialogueDriver together =
                in(state).hear(says(LambdaStatementKind.OFFER).define("co", "consciousness"));
        assertThat(together.dialogue().getState()).isEqualTo(alone.dialogue().getState());
        assertThat(together.last().warnings()).isEqualTo(alone.last().warnings());
    }

    @Test
    void aHandshakeIsOneEventWhateverItSays() {
        new LambdaDialogueDriver().hearLegal(LambdaSpeech.of(LambdaEvent.HS)).standsIn(HANDSHAKE);
    }

    @Test
    void severalStatementsDriveTheMachineInOrder() {
        new LambdaDialogueDriver()
                .hearLegal(says(LambdaStatementKind.ASSERT, LambdaStatementKind.ASK))
                .standsIn(Q_PEND)
                .warns(
                        says(LambdaStatementKind.COMMAND, LambdaStatementKind.OFFER, LambdaStatementKind.OFFER),
                        Code.LAMBDA_UNEXPECTED,
                        Code.LAMBDA_OFFER_OVERLAP)
                .standsIn(OFF_PEND);
    }

    @Test
    void aWarningStandsOnceHoweverOftenItIsRaised() {
        in(Q_PEND).warns(says(LambdaStatementKind.ASK, LambdaStatementKind.ASK), Code.LAMBDA_UNEXPECTED);
    }

    @Test
    void theFirstViolationDecidesAndNothingMoves() {
        LambdaDialogueDriver talk = in(CTX_PEND);
        talk.rejects(
                says(
                        LambdaStatementKind.ASSERT,
                        LambdaStatementKind.AGREE,
                        LambdaStatementKind.DISAGREE,
                        LambdaStatementKind.ERROR),
                Code.LAMBDA_ACK_WITHOUT_ANTECEDENT);
        talk.standsIn(CTX_PEND);
        assertThat(talk.last().warnings()).containsExactly(Code.LAMBDA_CTX_NOT_ACKED);
        assertThat(talk.last().rule().name()).isEqualTo("IDLE × DIS → LAMBDA_ACK_WITHOUT_ANTECEDENT");
    }

    @Test
    void aViolationLeavesDefinitionsFloorAndErrorsAlone() {
        LambdaDialogueDriver talk = new LambdaDialogueDriver()
                .hearLegal(says(LambdaStatementKind.ASSERT).by("A"));
        var before = new ArrayList<>(talk.dialogue().getPending());
        talk.rejects(
                says(LambdaStatementKind.ACK, LambdaStatementKind.ACK)
                        .by("B")
                        .define("co", "consciousness")
                        .before(LambdaFloor.TAKE),
                Code.LAMBDA_ACK_WITHOUT_ANTECEDENT);
        assertThat(talk.dialogue().getDefinitions()).isEmpty();
        assertThat(talk.dialogue().getFloorHeld()).isFalse();
        assertThat(talk.dialogue().getPending()).isEqualTo(before);
    }

    @Test
    void aCounterOfferThenItsAcceptanceEndsTheTalk() {
        in(SAID).hearLegal(says(LambdaStatementKind.COUNTER))
                .standsIn(OFF_PEND)
                .hearLegal(says(LambdaStatementKind.AGREE))
                .standsIn(IDLE);
    }

    @Test
    void anErrorAfterAnErrorNeedsAClarification() {
        in(CLARIFY)
                .warns(says(LambdaStatementKind.ERROR), Code.LAMBDA_ERROR_LOOP)
                .standsIn(CLARIFY);
    }
}
