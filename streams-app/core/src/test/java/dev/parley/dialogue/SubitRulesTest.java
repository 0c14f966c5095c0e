package dev.parley.dialogue;

import static dev.parley.dialogue.Citations.cited;
import static dev.parley.dialogue.DialogueMessages.CONTEXT;
import static dev.parley.dialogue.DialogueMessages.subit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Provenance;
import dev.parley.avro.SubitDialogue;
import dev.parley.avro.SubitLane;
import dev.parley.avro.SubitState;
import dev.parley.avro.SubitType;
import dev.parley.codec.Code;
import dev.parley.docs.ProtocolsPage;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class SubitRulesTest {
    private static final long NOW = 1_000;

    private final SubitRules rules = new SubitRules(DialogueSettings.DEFAULT);

    @ParameterizedTest(name = "{0} × {1} → {2} {3} {4} [{5}]")
    @MethodSource("cellsOfThePage")
    void everyCellSaysWhatThePageSaysForOneAgentKnownOrNot(
            SubitState before, SubitType type, SubitState after, Code violation, Code warning, Provenance by) {
        for (String agent : new String[] {null, "A"}) {
            SubitDialogue state = standing(before, agent);
            RuleResult<SubitDialogue> result = rules.judge(state, subit(type, agent, NOW), CONTEXT);

            assertThat(result.violation()).isEqualTo(violation);
            assertThat(result.warnings()).isEqualTo(Stream.ofNullable(warning).toList());
            assertThat(standsAt(result.next())).isEqualTo(after);
            assertThat(result.rule().getProvenance()).isEqualTo(by.name());
            assertThat(result.rule().getSection()).isEqualTo("2.4");
            assertThat(result.rule().getText())
                    .startsWith(before + " × " + type + " → " + (violation == null ? after : "V " + violation));
            assertThat(state).isEqualTo(standing(before, agent));
            if (violation == null) {
                assertThat(result.next().getAgent()).isEqualTo(agent);
                assertThat(result.next().getLanes()).isEqualTo(lanesOf(after, agent));
            } else {
                assertThat(result.next()).isSameAs(state);
            }
        }
    }

    @ParameterizedTest(name = "{0} of another agent × {1} → {2} [{3}]")
    @MethodSource("lanesOfThePage")
    void anOpenIntentOrPlanBindsNoOtherAgent(SubitState before, SubitType type, SubitState after, Provenance by) {
        SubitDialogue state = standing(before, "A");
        RuleResult<SubitDialogue> result = rules.judge(state, subit(type, "B", NOW), CONTEXT);

        assertThat(result.violation()).isNull();
        assertThat(result.warnings()).isEmpty();
        assertThat(standsAt(result.next())).isEqualTo(after);
        assertThat(cited(result.rule()))
                .isEqualTo("2.4: " + before + " of another agent × " + type + " → " + after + " [" + by + "]");
        SubitLane ofA = new SubitLane("A", before);
        assertThat(result.next().getLanes())
                .isEqualTo(
                        switch (after) {
                            case INTENT, PLAN -> List.of(ofA, new SubitLane("B", after));
                            case STATE -> List.of(ofA);
                            default -> List.of();
                        });
    }

    static Stream<Arguments> cellsOfThePage() {
        return ProtocolsPage.read().tables("2.4").get(0).stream().map(cell -> {
            SubitState before = SubitState.valueOf(cell.state());
            SubitState after = cell.violation() != null ? before : SubitState.valueOf(cell.target());
            return Arguments.of(
                    before,
                    SubitType.valueOf(cell.event()),
                    after,
                    cell.violation(),
                    cell.warning(),
                    Provenance.valueOf(cell.provenance()));
        });
    }

    static Stream<Arguments> lanesOfThePage() {
        return ProtocolsPage.read().tables("2.4").get(1).stream()
                .map(cell -> Arguments.of(
                        SubitState.valueOf(cell.state()),
                        SubitType.valueOf(cell.event()),
                        SubitState.valueOf(cell.target()),
                        Provenance.valueOf(cell.provenance())));
    }

    @Test
    void thePageHasACellForEveryStateAndTypeAndEveryLane() {
        assertThat(cellsOfThePage().map(cell -> cell.get()[0] + " " + cell.get()[1]))
                .doesNotHaveDuplicates()
                .hasSize(SubitState.values().length * 6);
        assertThat(lanesOfThePage().map(cell -> cell.get()[0] + " " + cell.get()[1]))
                .doesNotHaveDuplicates()
                .hasSize(2 * 6);
    }

    @Test
    void theAgentIsTheOneThatTheMessageOrItsRecordNames() {
        Conversation conversation = Conversation.withDefaults();
        AgentMessage byHeader = subit(SubitType.STATE, "A", NOW);
        assertThat(byHeader.getSubit().getAgent()).isNull();
        conversation.say(byHeader);
        conversation.say(subit(SubitType.INTENT, "A", NOW));
        assertThat(conversation.dialogue(SubitDialogue.class).getLanes())
                .containsExactly(new SubitLane("A", SubitState.INTENT));
    }

    @Test
    void theOldestLaneGoesBeyondTheBound() {
        Conversation conversation = new Conversation(new DialogueSettings(DialogueSettings.Mode.ENFORCE, 100, 2));
        conversation.say(subit(SubitType.STATE, "A", 0));
        for (String agent : List.of("A", "B", "A", "C")) {
            conversation.say(subit(SubitType.PLAN, agent, 0));
        }
        assertThat(conversation.dialogue(SubitDialogue.class).getLanes())
                .extracting(SubitLane::getAgent)
                .containsExactly("A", "C");
        assertThat(conversation.say(subit(SubitType.STATE, "B", 0)).code()).isNull();
    }

    @ParameterizedTest
    @EnumSource(value = SubitState.class, mode = EnumSource.Mode.EXCLUDE, names = "START")
    void anIdleSessionCloses(SubitState state) {
        SubitDialogue before = standing(state, "A");
        assertThat(rules.expire(before, NOW, NOW)).isSameAs(before);

        assertThat(rules.expire(before, NOW, NOW + 1)).isNull();

        boolean incomplete = state == SubitState.STATE || state == SubitState.INTENT || state == SubitState.PLAN;
        assertThat(rules.isIncomplete(before)).isEqualTo(incomplete);
        assertThat(before).isEqualTo(standing(state, "A"));
    }

    @Test
    void theFirstMessageAfterAnIncompleteDialogueSaysSoOnce() {
        Conversation conversation = new Conversation(new DialogueSettings(DialogueSettings.Mode.ENFORCE, 100, 2));
        conversation.say(subit(SubitType.STATE, "A", 0));
        conversation.say(subit(SubitType.INTENT, "A", 100));
        Judgement first = conversation.say(subit(SubitType.STATE, "A", 201));
        assertThat(first.code()).isNull();
        assertThat(first.warnings()).containsExactly(Code.SUBIT_INCOMPLETE_DIALOGUE);
        assertThat(first.rule().getText()).isEqualTo("START × STATE → STATE");
        assertThat(conversation.say(subit(SubitType.INTENT, "A", 202)).warnings())
                .isEmpty();
    }

    @Test
    void theWarningStandsBesideAViolationToo() {
        Conversation conversation = new Conversation(new DialogueSettings(DialogueSettings.Mode.ENFORCE, 100, 2));
        conversation.say(subit(SubitType.STATE, "A", 0));
        Judgement first = conversation.say(subit(SubitType.INTENT, "A", 101));
        assertThat(first.code()).isEqualTo(Code.SUBIT_NO_INITIAL_STATE);
        assertThat(first.warnings()).containsExactly(Code.SUBIT_INCOMPLETE_DIALOGUE);
        Judgement second = conversation.say(subit(SubitType.ERROR, "A", 102));
        assertThat(second.warnings()).containsExactly(Code.SUBIT_ORPHAN_ERROR);
    }

    @Test
    void aSessionThatEndedInActionStartsAnewAfterAnIdleGap() {
        Conversation conversation = new Conversation(new DialogueSettings(DialogueSettings.Mode.ENFORCE, 100, 2));
        conversation.say(subit(SubitType.STATE, "A", 0));
        conversation.say(subit(SubitType.INTENT, "A", 0));
        conversation.say(subit(SubitType.ACTION, "A", 0));
        assertThat(conversation.say(subit(SubitType.STATE, "A", 100)).code()).isEqualTo(Code.SUBIT_STATE_AFTER_ACTION);
        Judgement later = conversation.say(subit(SubitType.STATE, "A", 201));
        assertThat(later.code()).isNull();
        assertThat(later.warnings()).isEmpty();
    }

    private static SubitDialogue standing(SubitState state, String agent) {
        return state == SubitState.START ? null : new SubitDialogue(state, agent, lanesOf(state, agent));
    }

    private static List<SubitLane> lanesOf(SubitState state, String agent) {
        return state == SubitState.INTENT || state == SubitState.PLAN
                ? List.of(new SubitLane(agent, state))
                : List.of();
    }

    private static SubitState standsAt(SubitDialogue state) {
        return state == null ? SubitState.START : state.getState();
    }
}
