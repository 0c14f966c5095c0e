package dev.parley.dialogue;

import static dev.parley.dialogue.Citations.cited;
import static dev.parley.dialogue.DialogueMessages.CONTEXT;
import static dev.parley.dialogue.DialogueMessages.slip;
import static dev.parley.dialogue.DialogueMessages.slipDialogue;
import static dev.parley.dialogue.DialogueMessages.slipTask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Provenance;
import dev.parley.avro.SlipAct;
import dev.parley.avro.SlipDialogue;
import dev.parley.avro.SlipFrame;
import dev.parley.avro.SlipTask;
import dev.parley.avro.SlipTaskState;
import dev.parley.avro.SlipTurn;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import dev.parley.docs.ProtocolsPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class SlipRulesTest {
    private static final Long TASK = 42L;
    private static final long NOW = 1_000;

    private final SlipRules rules = new SlipRules(DialogueSettings.DEFAULT);

    @ParameterizedTest(name = "{0} × {1} → {2} {3} {4} [{5}]")
    @MethodSource("cellsOfThePage")
    void everyCellSaysWhatThePageSays(
            SlipTaskState before, SlipAct act, SlipTaskState after, Code violation, Code warning, Provenance by) {
        SlipDialogue state = standing(before);
        RuleResult<SlipDialogue> result = rules.judge(state, slip(8, act, TASK, NOW), CONTEXT);

        assertThat(result.violation()).isEqualTo(violation);
        assertThat(result.warnings()).isEqualTo(Stream.ofNullable(warning).toList());
        assertThat(standsAt(result.next(), TASK)).isEqualTo(after);
        assertThat(lastOf(result.next()).getTurn()).isEqualTo(8);
        assertThat(lastOf(result.next()).getAccepted()).isEqualTo(violation == null);
        assertThat(result.rule().getProvenance()).isEqualTo(by.name());
        assertThat(result.rule().getSection()).isEqualTo("1.4");
        assertThat(result.rule().getText())
                .startsWith(before + " × " + act + " → " + (violation == null ? after : "V " + violation));
        assertThat(result.rule().getBefore()).isEqualTo(before.name());
        assertThat(result.rule().getAct()).isEqualTo(act.name());
        assertThat(result.rule().getAfter()).isEqualTo(violation == null ? after.name() : null);
        assertThat(state).isEqualTo(standing(before));
    }

    static Stream<Arguments> cellsOfThePage() {
        return ProtocolsPage.read().tables("1.4").get(0).stream().map(cell -> {
            SlipTaskState before = SlipTaskState.valueOf(cell.state());
            SlipTaskState after = cell.violation() != null ? before : SlipTaskState.valueOf(cell.target());
            return Arguments.of(
                    before,
                    SlipAct.valueOf(cell.event()),
                    after,
                    cell.violation(),
                    cell.warning(),
                    Provenance.valueOf(cell.provenance()));
        });
    }

    @Test
    void thePageHasACellForEveryStateAndActThatMovesOne() {
        assertThat(cellsOfThePage().map(cell -> cell.get()[0] + " " + cell.get()[1]))
                .doesNotHaveDuplicates()
                .hasSize(SlipTaskState.values().length * 8);
    }

    static Stream<Arguments> everyStateAndUnchangingAct() {
        return Stream.of(SlipTaskState.values())
                .flatMap(state ->
                        Stream.of(SlipAct.OBSERVE, SlipAct.ASK, SlipAct.META).map(act -> Arguments.of(state, act)));
    }

    @ParameterizedTest
    @MethodSource("everyStateAndUnchangingAct")
    void observeAskAndMetaChangeNoStateButTakeTheTurn(SlipTaskState before, SlipAct act) {
        RuleResult<SlipDialogue> result = rules.judge(standing(before), slip(8, act, TASK, NOW), CONTEXT);

        assertThat(result.violation()).isNull();
        assertThat(result.warnings()).isEmpty();
        assertThat(standsAt(result.next(), TASK)).isEqualTo(before);
        assertThat(lastOf(result.next()).getTurn()).isEqualTo(8);
        assertThat(result.rule().getText()).startsWith("OBSERVE, ASK, META");
    }

    @ParameterizedTest
    @EnumSource(SlipTaskState.class)
    void anActThatThisVersionDoesNotKnowHasNoCell(SlipTaskState before) {
        AgentMessage unknown = slip(8, SlipAct.UNKNOWN, TASK, NOW);
        assertThatThrownBy(() -> rules.judge(standing(before), unknown, CONTEXT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("UNKNOWN");
    }

    @Test
    void anAgentThatSpeaksToItselfIsWarned() {
        AgentMessage message = slip(1, SlipAct.ASK, SlipFrame.TASK, 5, 5, null, null, "", NOW);
        assertThat(rules.judge(null, message, CONTEXT).warnings()).containsExactly(Code.SLIP_SELF_ADDRESSED);
    }

    @Test
    void onlyATaskThatNamesItselfAsParentIsACycle() {
        AgentMessage self = slip(1, SlipAct.ASK, SlipFrame.TASK, 0, 1, 1_000L, 1_000L, "", NOW);
        AgentMessage other = slip(1, SlipAct.ASK, SlipFrame.TASK, 0, 1, 1_000L, 1_001L, "", NOW);
        AgentMessage neither = slip(1, SlipAct.ASK, SlipFrame.TASK, 0, 1, null, null, "", NOW);
        assertThat(rules.judge(null, self, CONTEXT).warnings()).containsExactly(Code.SLIP_PARENT_CYCLE);
        assertThat(rules.judge(null, other, CONTEXT).warnings()).isEmpty();
        assertThat(rules.judge(null, neither, CONTEXT).warnings()).isEmpty();
    }

    @Test
    void aViolationKeepsTheWarningsOfItsMessage() {
        AgentMessage message = slip(9, SlipAct.EVAL, SlipFrame.TASK, 5, 5, 7L, 7L, "", NOW);
        RuleResult<SlipDialogue> result = rules.judge(standing(SlipTaskState.COMMITTED), message, CONTEXT);
        assertThat(result.violation()).isEqualTo(Code.SLIP_NOTHING_TO_EVAL);
        assertThat(result.warnings())
                .containsExactly(
                        Code.SLIP_SELF_ADDRESSED, Code.SLIP_PARENT_CYCLE, Code.SLIP_FRAME_MISMATCH, Code.SLIP_TURN_GAP);
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "700", "9223372036854775807"})
    void aConversationStartsOnAnyTurn(long turn) {
        RuleResult<SlipDialogue> result = rules.judge(null, slip(turn, SlipAct.REQUEST, TASK, NOW), CONTEXT);
        assertThat(result.violation()).isNull();
        assertThat(result.warnings()).isEmpty();
        assertThat(lastOf(result.next()).getTurn()).isEqualTo(turn);
    }

    @ParameterizedTest(name = "after turn 7 turn {0}: {1} {2}, then the last turn is {3}")
    @CsvSource(nullValues = "-", textBlock = """
                    0,                   SLIP_TURN_REGRESSION, -,             7
                    6,                   SLIP_TURN_REGRESSION, -,             7
                    7,                   SLIP_TURN_REUSED,     -,             7
                    8,                   -,                    -,             8
                    9,                   -,                    SLIP_TURN_GAP, 9
                    9223372036854775807, -,                    SLIP_TURN_GAP, 9223372036854775807
                    """)
    void turnsRiseByOne(long turn, Code violation, Code warning, long lastAfter) {
        SlipDialogue state = standing(SlipTaskState.PROPOSED);
        RuleResult<SlipDialogue> result = rules.judge(state, slip(turn, SlipAct.ACCEPT, TASK, NOW), CONTEXT);
        assertThat(result.violation()).isEqualTo(violation);
        assertThat(result.warnings()).isEqualTo(Stream.ofNullable(warning).toList());
        assertThat(lastOf(result.next()).getTurn()).isEqualTo(lastAfter);
        if (violation != null) {
            assertThat(result.next()).isSameAs(state);
            assertThat(result.rule().getText()).contains(violation.name());
        }
    }

    @Test
    void theSameTurnCountsForAllTasksOfTheConversation() {
        Conversation conversation = Conversation.withDefaults();
        conversation.say(slip(1, SlipAct.REQUEST, 1L, NOW));
        assertThat(conversation.say(slip(1, SlipAct.REQUEST, 2L, NOW)).code()).isEqualTo(Code.SLIP_TURN_REUSED);
        assertThat(conversation.say(slip(2, SlipAct.REQUEST, 2L, NOW)).code()).isNull();
    }

    @Test
    void theBytesOfAnAcceptedMessageAreADuplicateAndWinOverTheCell() {
        Conversation conversation = Conversation.withDefaults();
        conversation.say(slip(1, SlipAct.REQUEST, TASK, NOW));
        ConversationState before = conversation.state;

        Judgement again = conversation.say(slip(1, SlipAct.REQUEST, TASK, NOW));

        assertThat(again.verdict()).isEqualTo(Verdict.ACCEPTED);
        assertThat(again.warnings()).containsExactly(Code.SLIP_DUPLICATE);
        assertThat(cited(again.rule())).startsWith("1.3: ").contains("SLIP_DUPLICATE");
        assertThat(again.next()).isEqualTo(before);
    }

    @Test
    void anAcceptedMessageThatIsSentAgainLaterIsADuplicate() {
        Conversation conversation = Conversation.withDefaults();
        int turns = SlipRules.MAX_TURNS;
        for (int turn = 0; turn <= turns; turn++) {
            conversation.say(slip(turn, SlipAct.ASK, TASK, NOW));
        }
        ConversationState before = conversation.state;
        for (int turn = 1; turn <= turns; turn++) {
            Judgement again = conversation.say(slip(turn, SlipAct.ASK, TASK, NOW));
            assertThat(again.code()).as("turn %d", turn).isNull();
            assertThat(again.warnings()).as("turn %d", turn).containsExactly(Code.SLIP_DUPLICATE);
            assertThat(again.next()).as("turn %d", turn).isEqualTo(before);
        }
        assertThat(conversation.say(slip(0, SlipAct.ASK, TASK, NOW)).code())
                .as("beyond the remembered turns")
                .isEqualTo(Code.SLIP_TURN_REGRESSION);
        assertThat(conversation.say(slip(1, SlipAct.META, TASK, NOW)).code())
                .as("another message on a remembered turn")
                .isEqualTo(Code.SLIP_TURN_REGRESSION);
    }

    @Test
    void aRejectedMessageThatIsSentAgainAfterOthersIsARegression() {
        Conversation conversation = Conversation.withDefaults();
        conversation.say(slip(1, SlipAct.EVAL, TASK, NOW));
        conversation.say(slip(2, SlipAct.REQUEST, TASK, NOW));
        assertThat(conversation.say(slip(1, SlipAct.EVAL, TASK, NOW)).code()).isEqualTo(Code.SLIP_TURN_REGRESSION);
    }

    @Test
    void manyTurnsTakeNoMoreRoomThanTheLastOnes() {
        Conversation conversation = Conversation.withDefaults();
        for (int turn = 0; turn < 100; turn++) {
            conversation.say(slip(turn, SlipAct.ASK, null, NOW));
        }
        assertThat(conversation.dialogue(SlipDialogue.class).getTurns())
                .extracting(SlipTurn::getTurn)
                .hasSize(SlipRules.MAX_TURNS)
                .endsWith(98L, 99L);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(nullValues = "-", textBlock = """
            the requester accepts its own request,       0 3 1; 0 6 1,              SLIP_SELF_ACCEPT
            the other agent accepts the request,         0 3 1; 1 6 0,              -
            the planner accepts its own plan,            0 3 1; 1 4 0; 1 6 0,       SLIP_SELF_ACCEPT
            the planner accepts its own report,          0 3 1; 1 4 0; 1 1 0; 1 6 0, SLIP_SELF_ACCEPT
            the requester accepts the report,            0 3 1; 1 4 0; 1 1 0; 0 6 1, -
            the requester comments and accepts it,       0 3 1; 1 4 0; 1 1 0; 0 1 1; 0 6 1, -
            the requester accepts the plan,              0 3 1; 1 4 0; 0 6 1,       -
            the author of a counter-plan accepts it,     0 3 1; 1 4 0; 0 4 1; 0 6 1, SLIP_SELF_ACCEPT
            the planner accepts the counter-plan,        0 3 1; 1 4 0; 0 4 1; 1 6 0, -
            the planner accepts after a rejection,       0 3 1; 1 4 0; 0 7 1; 1 6 0, -
            the addressee of the request commits,        0 3 1; 1 5 0,              -
            the requester commits,                       0 3 1; 0 5 1,              SLIP_NOT_ADDRESSED
            a third agent commits,                       0 3 1; 2 5 0,              SLIP_NOT_ADDRESSED
            the planner commits to its unsolicited plan, 1 4 0; 1 5 0,              -
            the agent to which the plan is sent commits, 0 3 1; 1 4 2; 2 5 0,       -
            the agent that is told of the plan commits,  0 3 1; 1 4 0; 0 6 2; 2 5 0, -
            an agent that was asked about it commits,    0 3 1; 0 2 2; 2 5 0,       -
            an agent of an earlier request commits,      0 3 2; 2 1 0; 0 3 1; 2 5 0, SLIP_NOT_ADDRESSED
            """)
    void acceptingOnesOwnPlanAndCommittingWithoutBeingAddressedIsWarned(String title, String messages, Code warning) {
        Conversation conversation = Conversation.withDefaults();
        Judgement last = null;
        int turn = 0;
        for (String message : messages.split("; ")) {
            String[] parts = message.split(" ");
            SlipAct act = SlipAct.values()[Integer.parseInt(parts[1]) + 1];
            last = conversation.say(slip(++turn, act, TASK, Long.parseLong(parts[0]), Long.parseLong(parts[2])));
        }
        assertThat(last.code()).isNull();
        assertThat(last.warnings()).isEqualTo(Stream.ofNullable(warning).toList());
    }

    @Test
    void thePartiesOfATaskAreBounded() {
        Conversation conversation = Conversation.withDefaults();
        conversation.say(slip(0, SlipAct.REQUEST, TASK, 0, 1));
        for (int turn = 1; turn < 100; turn++) {
            conversation.say(slip(turn, SlipAct.PROPOSE, TASK, turn, 1_000 + turn));
        }
        assertThat(conversation.dialogue(SlipDialogue.class).getTasks().get(0).getParties())
                .hasSize(8)
                .endsWith(1_099L, 99L);
    }

    @Test
    void aRejectedMessageThatComesAgainIsRejectedAgain() {
        Conversation conversation = Conversation.withDefaults();
        assertThat(conversation.say(slip(1, SlipAct.EVAL, TASK, NOW)).code()).isEqualTo(Code.SLIP_NOTHING_TO_EVAL);
        Judgement again = conversation.say(slip(1, SlipAct.EVAL, TASK, NOW));
        assertThat(again.code()).isEqualTo(Code.SLIP_NOTHING_TO_EVAL);
        assertThat(again.warnings()).isEmpty();
    }

    @Test
    void aRejectedMessageTookItsTurn() {
        Conversation conversation = Conversation.withDefaults();
        conversation.say(slip(1, SlipAct.EVAL, TASK, NOW));
        assertThat(conversation.say(slip(1, SlipAct.REQUEST, TASK, NOW)).code()).isEqualTo(Code.SLIP_TURN_REUSED);
        assertThat(conversation.say(slip(2, SlipAct.REQUEST, TASK, NOW)).warnings())
                .isEmpty();
    }

    @Test
    void aMessageOnAReusedTurnTakesNothing() {
        Conversation conversation = Conversation.withDefaults();
        conversation.say(slip(1, SlipAct.REQUEST, TASK, NOW));
        AgentMessage other = slip(1, SlipAct.PROPOSE, TASK, NOW);
        assertThat(conversation.say(other).code()).isEqualTo(Code.SLIP_TURN_REUSED);
        assertThat(conversation.say(other).code()).isEqualTo(Code.SLIP_TURN_REUSED);
        assertThat(conversation.say(slip(1, SlipAct.REQUEST, TASK, NOW)).warnings())
                .containsExactly(Code.SLIP_DUPLICATE);
    }

    @Test
    void aRejectedMessageThatHasBecomeLegalIsAcceptedAndThenADuplicate() {
        Conversation conversation = new Conversation(new DialogueSettings(DialogueSettings.Mode.ENFORCE, 100, 10));
        conversation.say(slip(1, SlipAct.REQUEST, TASK, 0));
        conversation.say(slip(2, SlipAct.META, null, 60));
        assertThat(conversation.say(slip(3, SlipAct.REQUEST, TASK, 90)).code()).isEqualTo(Code.SLIP_DUPLICATE_REQUEST);
        Judgement later = conversation.say(slip(3, SlipAct.REQUEST, TASK, 120));
        assertThat(later.code()).isNull();
        assertThat(later.warnings()).isEmpty();
        assertThat(conversation.say(slip(3, SlipAct.REQUEST, TASK, 130)).warnings())
                .containsExactly(Code.SLIP_DUPLICATE);
    }

    @Test
    void messagesWithoutATaskAreATaskOfTheirOwn() {
        Conversation conversation = Conversation.withDefaults();
        conversation.say(slip(1, SlipAct.REQUEST, null, NOW));
        assertThat(conversation.say(slip(2, SlipAct.ACCEPT, 0L, NOW)).code()).isEqualTo(Code.SLIP_NOTHING_TO_ACCEPT);
        assertThat(conversation.say(slip(3, SlipAct.ACCEPT, null, NOW)).code()).isNull();
    }

    @Test
    void thePatternOfTheSpecificationPassesWithoutAWord() {
        Conversation conversation = Conversation.withDefaults();
        SlipAct[] acts = {SlipAct.REQUEST, SlipAct.PROPOSE, SlipAct.INFORM, SlipAct.EVAL};
        for (int turn = 1; turn <= acts.length; turn++) {
            Judgement judgement = conversation.say(slip(turn, acts[turn - 1], TASK, NOW));
            assertThat(judgement.rule().getProvenance()).isEqualTo(Provenance.S.name());
            assertThat(judgement.warnings()).isEmpty();
        }
        assertThat(standsAt(conversation.dialogue(SlipDialogue.class), TASK)).isEqualTo(SlipTaskState.EVALUATED);
    }

    @Test
    void aTaskClosesWhenItsLastAcceptedMessageIsTooOld() {
        SlipDialogue state = standing(SlipTaskState.COMMITTED);
        assertThat(rules.expire(state, NOW, NOW)).isSameAs(state);

        SlipDialogue expired = rules.expire(state, NOW + 50, NOW + 1);
        assertThat(standsAt(expired, TASK)).isEqualTo(SlipTaskState.NEW);
        assertThat(lastOf(expired).getTurn()).isEqualTo(7);
        assertThat(rules.isIncomplete(state)).isFalse();
        assertThat(rules.expire(expired, NOW + 50, NOW + 1)).isSameAs(expired);
    }

    @Test
    void aTaskThatIsStillActiveStaysWhereItStands() {
        List<SlipTask> tasks = List.of(
                slipTask(1L, SlipTaskState.REQUESTED, NOW),
                slipTask(2L, SlipTaskState.PROPOSED, NOW + 1),
                slipTask(3L, SlipTaskState.COMMITTED, NOW + 2));
        SlipDialogue dialogue = slipDialogue(7, tasks);
        SlipDialogue expired = rules.expire(dialogue, NOW + 2, NOW + 1);
        assertThat(expired.getTasks()).isEqualTo(tasks.subList(1, 3));
    }

    @Test
    void theTurnsAreForgottenOnlyWithTheWholeConversation() {
        Conversation conversation = new Conversation(new DialogueSettings(DialogueSettings.Mode.ENFORCE, 100, 10));
        conversation.say(slip(5, SlipAct.REQUEST, TASK, 0));
        conversation.say(slip(6, SlipAct.EVAL, 1L, 80));
        assertThat(conversation.say(slip(5, SlipAct.ASK, TASK, 180)).code()).isEqualTo(Code.SLIP_TURN_REGRESSION);
        assertThat(conversation.say(slip(1, SlipAct.REQUEST, TASK, 281)).code()).isNull();
    }

    @Test
    void onlyTheTasksThatWereActiveLastAreRemembered() {
        Conversation conversation = new Conversation(new DialogueSettings(DialogueSettings.Mode.ENFORCE, 100, 3));
        conversation.say(slip(1, SlipAct.REQUEST, 1L, 0));
        conversation.say(slip(2, SlipAct.REQUEST, 2L, 0));
        conversation.say(slip(3, SlipAct.REQUEST, 3L, 0));
        conversation.say(slip(4, SlipAct.ASK, 1L, 0));
        conversation.say(slip(5, SlipAct.REQUEST, 4L, 0));
        assertThat(conversation.dialogue(SlipDialogue.class).getTasks())
                .extracting(SlipTask::getTask)
                .containsExactly(3L, 1L, 4L);
        assertThat(conversation.say(slip(6, SlipAct.ACCEPT, 2L, 0)).code()).isEqualTo(Code.SLIP_NOTHING_TO_ACCEPT);
    }

    @Test
    void newTasksTakeNoRoom() {
        Conversation conversation = Conversation.withDefaults();
        for (int turn = 0; turn < 50; turn++) {
            conversation.say(slip(turn, turn % 2 == 0 ? SlipAct.INFORM : SlipAct.ACCEPT, (long) turn, NOW));
        }
        assertThat(conversation.dialogue(SlipDialogue.class).getTasks()).isEmpty();
    }

    /** A conversation whose last turn was 7 and whose task, among others, stands there. */
    private static SlipDialogue standing(SlipTaskState state) {
        List<SlipTask> tasks = new ArrayList<>();
        tasks.add(slipTask(null, SlipTaskState.CLOSED, NOW));
        if (state != SlipTaskState.NEW) {
            tasks.add(slipTask(TASK, state, NOW));
        }
        tasks.add(slipTask(41L, SlipTaskState.REQUESTED, NOW));
        return slipDialogue(7, tasks);
    }

    private static SlipTurn lastOf(SlipDialogue dialogue) {
        return dialogue.getTurns().get(dialogue.getTurns().size() - 1);
    }

    private static SlipTaskState standsAt(SlipDialogue state, Long task) {
        return state.getTasks().stream()
                .filter(known -> Objects.equals(known.getTask(), task))
                .map(SlipTask::getState)
                .findFirst()
                .orElse(SlipTaskState.NEW);
    }
}
