package dev.parley.dialogue.lambda;

import static dev.parley.avro.LambdaState.CLARIFY;
import static dev.parley.avro.LambdaState.CMD_ACK;
import static dev.parley.avro.LambdaState.CMD_PEND;
import static dev.parley.avro.LambdaState.CTX_PEND;
import static dev.parley.avro.LambdaState.HANDSHAKE;
import static dev.parley.avro.LambdaState.IDLE;
import static dev.parley.avro.LambdaState.OFF_PEND;
import static dev.parley.avro.LambdaState.Q_PEND;
import static dev.parley.avro.LambdaState.SAID;
import static dev.parley.dialogue.Citations.cited;
import static dev.parley.dialogue.LambdaDialogueDriver.in;
import static dev.parley.dialogue.LambdaMessageBuilder.message;
import static dev.parley.dialogue.LambdaMessageBuilder.statements;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.LambdaFloor;
import dev.parley.avro.LambdaKind;
import dev.parley.avro.LambdaState;
import dev.parley.avro.LambdaStatementKind;
import dev.parley.avro.Provenance;
import dev.parley.codec.Code;
import dev.parley.dialogue.LambdaDialogueDriver;
import dev.parley.dialogue.LambdaMessageBuilder;
import dev.parley.docs.ProtocolsPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class LambdaTableTest {
    /** Every cell of docs/protocols.md 4.3: state, event, state after, violation, warning, provenance. */
    @ParameterizedTest(name = "{0} × {1}")
    @MethodSource("cellsOfThePage")
    void everyCellOfTheTable(
            LambdaState state,
            LambdaEvent event,
            LambdaState after,
            Code violation,
            Code warning,
            Provenance provenance) {
        LambdaDialogueDriver talk = in(state).judge(LambdaMessageBuilder.of(event));

        assertThat(talk.last().violation()).isEqualTo(violation);
        assertThat(talk.last().warnings()).isEqualTo(warning == null ? List.of() : List.of(warning));
        assertThat(talk.dialogue().getState()).isEqualTo(after);
        assertThat(talk.last().rule().getProvenance()).isEqualTo(provenance.name());
        assertThat(talk.last().rule().getSection()).isEqualTo("4.3");
        assertThat(talk.last().rule().getText())
                .startsWith(state + " × " + event + " → " + (violation == null ? after : violation));
    }

    /** A cell with a code and no state: acknowledgements stay, all else leads where it leads from IDLE. */
    static Stream<Arguments> cellsOfThePage() {
        List<ProtocolsPage.Cell> cells = ProtocolsPage.read().tables("4.3").stream()
                .flatMap(List::stream)
                .toList();
        Map<String, String> fromIdle = cells.stream()
                .filter(cell -> cell.state().equals("IDLE") && cell.target() != null)
                .collect(Collectors.toMap(ProtocolsPage.Cell::event, ProtocolsPage.Cell::target));
        return cells.stream().map(cell -> {
            String after = cell.target();
            if (cell.violation() != null || "stay".equals(after)) {
                after = cell.state();
            } else if (after == null) {
                after = fromIdle.getOrDefault(cell.event(), cell.state());
            }
            return Arguments.of(
                    LambdaState.valueOf(cell.state()),
                    LambdaEvent.valueOf(cell.event()),
                    LambdaState.valueOf(after),
                    cell.violation(),
                    cell.warning(),
                    Provenance.valueOf(cell.provenance()));
        });
    }

    @Test
    void thePageHasACellForEveryStateAndEvent() {
        assertThat(cellsOfThePage().map(cell -> cell.get()[0] + " " + cell.get()[1]))
                .doesNotHaveDuplicates()
                .hasSize(LambdaState.values().length * LambdaEvent.values().length);
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
    void anEventLeadsFromIdleToTheStateThatItOpens() {
        for (LambdaEvent event : LambdaEvent.values()) {
            if (event.opens() != null && !event.acknowledges()) {
                assertThat(LambdaTable.cell(IDLE, event).target()).isEqualTo(event.opens());
            }
        }
    }

    @Test
    void anAgreementToAnOfferIsCitedAsSuch() {
        assertThat(cited(in(OFF_PEND)
                        .judge(statements(LambdaStatementKind.AGREE))
                        .last()
                        .rule()))
                .isEqualTo("4.3: OFF_PEND × AGR → IDLE agreed [S]");
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
        assertThat(in(SAID).judge(statements(kind)).last().rule().getText()).startsWith("SAID × " + column + " →");
    }

    @ParameterizedTest
    @EnumSource(LambdaState.class)
    void metaReferenceAndDataMoveNothing(LambdaState state) {
        LambdaDialogueDriver talk = in(state);
        var before = talk.state();
        talk.accepts(statements(LambdaStatementKind.META))
                .accepts(statements(LambdaStatementKind.REFERENCE))
                .accepts(statements(LambdaStatementKind.DATA))
                .accepts(message(LambdaKind.DATA_ONLY))
                .accepts(message(LambdaKind.ENCRYPTED));
        assertThat(talk.state()).isSameAs(before);
    }

    @Test
    void aMessageWithoutEffectLeavesANewConversationNew() {
        LambdaDialogueDriver talk = new LambdaDialogueDriver();
        var before = talk.state();
        assertThat(talk.accepts(message(LambdaKind.ENCRYPTED)).state()).isSameAs(before);
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
                .accepts(message(LambdaKind.STATEMENTS).statement(kind, tokens.toArray(String[]::new)))
                .hasState(after);
    }

    @Test
    void aStatusReportIsAnAssertionEverywhereElse() {
        in(CMD_PEND)
                .warns(
                        message(LambdaKind.STATEMENTS).statement(LambdaStatementKind.ASSERT, "st"),
                        Code.LAMBDA_RESULT_BEFORE_ACK)
                .hasState(SAID);
    }

    @ParameterizedTest
    @EnumSource(LambdaState.class)
    void contextAndStatementInOneMessageTakeTheStatementsState(LambdaState state) {
        LambdaDialogueDriver alone = in(state).judge(statements(LambdaStatementKind.OFFER));
        LambdaDialogueDriver together =
                in(state).judge(statements(LambdaStatementKind.OFFER).define("co", "consciousness"));
        assertThat(together.dialogue().getState()).isEqualTo(alone.dialogue().getState());
        assertThat(together.last().warnings()).isEqualTo(alone.last().warnings());
    }

    @Test
    void aHandshakeIsOneEventWhateverItSays() {
        new LambdaDialogueDriver()
                .accepts(LambdaMessageBuilder.of(LambdaEvent.HS))
                .hasState(HANDSHAKE);
    }

    @Test
    void severalStatementsDriveTheMachineInOrder() {
        new LambdaDialogueDriver()
                .accepts(statements(LambdaStatementKind.ASSERT, LambdaStatementKind.ASK))
                .hasState(Q_PEND)
                .warns(
                        statements(LambdaStatementKind.COMMAND, LambdaStatementKind.OFFER, LambdaStatementKind.OFFER),
                        Code.LAMBDA_UNEXPECTED,
                        Code.LAMBDA_OFFER_OVERLAP)
                .hasState(OFF_PEND);
    }

    @Test
    void aWarningStandsOnceHoweverOftenItIsRaised() {
        in(Q_PEND).warns(statements(LambdaStatementKind.ASK, LambdaStatementKind.ASK), Code.LAMBDA_UNEXPECTED);
    }

    @Test
    void theFirstViolationDecidesAndNothingMoves() {
        LambdaDialogueDriver talk = in(CTX_PEND);
        talk.rejects(
                statements(
                        LambdaStatementKind.ASSERT,
                        LambdaStatementKind.AGREE,
                        LambdaStatementKind.DISAGREE,
                        LambdaStatementKind.ERROR),
                Code.LAMBDA_ACK_WITHOUT_ANTECEDENT);
        talk.hasState(CTX_PEND);
        assertThat(talk.last().warnings()).containsExactly(Code.LAMBDA_CTX_NOT_ACKED);
        assertThat(talk.last().rule().getText()).isEqualTo("IDLE × DIS → LAMBDA_ACK_WITHOUT_ANTECEDENT");
    }

    @Test
    void aViolationLeavesDefinitionsFloorAndErrorsAlone() {
        LambdaDialogueDriver talk = new LambdaDialogueDriver()
                .accepts(statements(LambdaStatementKind.ASSERT).by("A"));
        var before = new ArrayList<>(talk.dialogue().getPending());
        talk.rejects(
                statements(LambdaStatementKind.ACK, LambdaStatementKind.ACK)
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
        in(SAID).accepts(statements(LambdaStatementKind.COUNTER))
                .hasState(OFF_PEND)
                .accepts(statements(LambdaStatementKind.AGREE))
                .hasState(IDLE);
    }

    @Test
    void anErrorAfterAnErrorNeedsAClarification() {
        in(CLARIFY)
                .warns(statements(LambdaStatementKind.ERROR), Code.LAMBDA_ERROR_LOOP)
                .hasState(CLARIFY);
    }
}
