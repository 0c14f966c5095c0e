package dev.parley.dialogue;

import static dev.parley.dialogue.DialogueMessages.subit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.DialogueState;
import dev.parley.avro.SubitDialogue;
import dev.parley.avro.SubitLane;
import dev.parley.avro.SubitState;
import dev.parley.avro.SubitType;
import dev.parley.codec.Code;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SubitRulesTest {
    private static final long NOW = 1_000;

    private final SubitRules rules = new SubitRules(DialogueSettings.DEFAULT);

    @ParameterizedTest(name = "{0} × {1} → {2} {3} {4} [{5}]")
    @CsvSource(nullValues = "-", textBlock = """
                    START,     STATE,  STATE,     -,                           -,                     S
                    START,     INTENT, START,     SUBIT_NO_INITIAL_STATE,      -,                     C
                    START,     ACTION, START,     SUBIT_NO_INITIAL_STATE,      -,                     C
                    START,     PLAN,   START,     SUBIT_NO_INITIAL_STATE,      -,                     C
                    START,     TRACE,  START,     SUBIT_NO_INITIAL_STATE,      -,                     C
                    START,     ERROR,  ERROR,     -,                           SUBIT_ORPHAN_ERROR,    I
                    STATE,     STATE,  STATE,     -,                           SUBIT_STATE_REPEATED,  I
                    STATE,     INTENT, INTENT,    -,                           -,                     S
                    STATE,     ACTION, STATE,     SUBIT_ACTION_WITHOUT_INTENT, -,                     C
                    STATE,     PLAN,   PLAN,      -,                           -,                     S
                    STATE,     TRACE,  END_TRACE, -,                           -,                     S
                    STATE,     ERROR,  ERROR,     -,                           -,                     S
                    INTENT,    STATE,  INTENT,    SUBIT_STATE_AFTER_INTENT,    -,                     C
                    INTENT,    INTENT, INTENT,    -,                           SUBIT_INTENT_REPEATED, I
                    INTENT,    ACTION, ACTION,    -,                           -,                     S
                    INTENT,    PLAN,   PLAN,      -,                           -,                     C
                    INTENT,    TRACE,  END_TRACE, -,                           -,                     S
                    INTENT,    ERROR,  ERROR,     -,                           -,                     S
                    ACTION,    STATE,  ACTION,    SUBIT_STATE_AFTER_ACTION,    -,                     S
                    ACTION,    INTENT, ACTION,    SUBIT_INTENT_AFTER_ACTION,   -,                     C
                    ACTION,    ACTION, ACTION,    -,                           SUBIT_ACTION_REPEATED, I
                    ACTION,    PLAN,   ACTION,    SUBIT_PLAN_AFTER_ACTION,     -,                     I
                    ACTION,    TRACE,  END_TRACE, -,                           -,                     S
                    ACTION,    ERROR,  ERROR,     -,                           -,                     S
                    PLAN,      STATE,  PLAN,      SUBIT_STATE_AFTER_PLAN,      -,                     C
                    PLAN,      INTENT, PLAN,      SUBIT_INTENT_AFTER_PLAN,     -,                     C
                    PLAN,      ACTION, ACTION,    -,                           -,                     C
                    PLAN,      PLAN,   PLAN,      -,                           -,                     I
                    PLAN,      TRACE,  END_TRACE, -,                           -,                     S
                    PLAN,      ERROR,  ERROR,     -,                           -,                     S
                    END_TRACE, STATE,  STATE,     -,                           -,                     I
                    END_TRACE, INTENT, END_TRACE, SUBIT_INTENT_AFTER_TRACE,    -,                     C
                    END_TRACE, ACTION, END_TRACE, SUBIT_ACTION_AFTER_TRACE,    -,                     C
                    END_TRACE, PLAN,   END_TRACE, SUBIT_PLAN_AFTER_TRACE,      -,                     I
                    END_TRACE, TRACE,  END_TRACE, -,                           -,                     I
                    END_TRACE, ERROR,  ERROR,     -,                           -,                     S
                    ERROR,     STATE,  STATE,     -,                           -,                     S
                    ERROR,     INTENT, ERROR,     SUBIT_EXPECTED_STATE,        -,                     C
                    ERROR,     ACTION, ERROR,     SUBIT_EXPECTED_STATE,        -,                     C
                    ERROR,     PLAN,   ERROR,     SUBIT_EXPECTED_STATE,        -,                     C
                    ERROR,     TRACE,  ERROR,     SUBIT_EXPECTED_STATE,        -,                     C
                    ERROR,     ERROR,  ERROR,     -,                           -,                     I
                    """)
    void everyCellSaysWhatThePageSaysForOneAgentKnownOrNot(
            SubitState before, SubitType type, SubitState after, Code violation, Code warning, Rule.Provenance by) {
        for (String agent : new String[] {null, "A"}) {
            DialogueState state = standing(before, agent);
            Ruling ruling = rules.judge(state, subit(type, agent, NOW), ContextView.EMPTY);

            assertThat(ruling.violation()).isEqualTo(violation);
            assertThat(ruling.warnings()).isEqualTo(Stream.ofNullable(warning).toList());
            assertThat(standsAt(ruling.next())).isEqualTo(after);
            assertThat(ruling.rule().provenance()).isEqualTo(by);
            assertThat(ruling.rule().section()).isEqualTo("SUBIT 2.4");
            assertThat(ruling.rule().name())
                    .startsWith(before + " × " + type + " → " + (violation == null ? after : "V " + violation));
            assertThat(state).isEqualTo(standing(before, agent));
            if (violation == null) {
                assertThat(ruling.next().getSubit().getAgent()).isEqualTo(agent);
                assertThat(ruling.next().getSubit().getLanes()).isEqualTo(lanesOf(after, agent));
            } else {
                assertThat(ruling.next()).isSameAs(state);
            }
        }
    }

    @ParameterizedTest(name = "{0} of another agent × {1} → {2} [{3}]")
    @CsvSource({
        "INTENT, STATE,  STATE,     I",
        "INTENT, INTENT, INTENT,    C",
        "INTENT, ACTION, ACTION,    S",
        "INTENT, PLAN,   PLAN,      C",
        "INTENT, TRACE,  END_TRACE, S",
        "INTENT, ERROR,  ERROR,     S",
        "PLAN,   STATE,  STATE,     I",
        "PLAN,   INTENT, INTENT,    I",
        "PLAN,   ACTION, ACTION,    C",
        "PLAN,   PLAN,   PLAN,      I",
        "PLAN,   TRACE,  END_TRACE, S",
        "PLAN,   ERROR,  ERROR,     S",
    })
    void anOpenIntentOrPlanBindsNoOtherAgent(SubitState before, SubitType type, SubitState after, Rule.Provenance by) {
        DialogueState state = standing(before, "A");
        Ruling ruling = rules.judge(state, subit(type, "B", NOW), ContextView.EMPTY);

        assertThat(ruling.violation()).isNull();
        assertThat(ruling.warnings()).isEmpty();
        assertThat(standsAt(ruling.next())).isEqualTo(after);
        assertThat(ruling.rule())
                .isEqualTo(new Rule(before + " of another agent × " + type + " → " + after, by, "SUBIT 2.4"));
        SubitLane ofA = new SubitLane("A", before);
        assertThat(ruling.next().getSubit().getLanes())
                .isEqualTo(
                        switch (after) {
                            case INTENT, PLAN -> List.of(ofA, new SubitLane("B", after));
                            case STATE -> List.of(ofA);
                            default -> List.of();
                        });
    }

    /** Who said what, and the code of the last message; those before it pass. A sender that nobody knows is written as "?". */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(nullValues = "-", textBlock = """
                    A:STATE A:INTENT B:STATE,                                             -
                    A:STATE A:INTENT B:STATE B:INTENT,                                    -
                    A:STATE B:INTENT A:ACTION,                                            -
                    A:STATE A:INTENT B:INTENT,                                            -
                    A:STATE A:INTENT A:INTENT,                                            SUBIT_INTENT_REPEATED
                    A:STATE A:INTENT B:INTENT A:INTENT,                                   SUBIT_INTENT_REPEATED
                    A:STATE A:INTENT A:STATE,                                             SUBIT_STATE_AFTER_INTENT
                    A:STATE A:INTENT B:STATE A:STATE,                                     SUBIT_STATE_AFTER_INTENT
                    A:STATE A:INTENT B:STATE B:STATE,                                     SUBIT_STATE_REPEATED
                    A:STATE B:STATE,                                                      SUBIT_STATE_REPEATED
                    A:STATE A:INTENT B:STATE A:PLAN B:INTENT A:STATE,                     SUBIT_STATE_AFTER_PLAN
                    A:STATE A:INTENT B:STATE A:INTENT,                                    SUBIT_INTENT_REPEATED
                    A:STATE A:INTENT B:PLAN B:STATE,                                      SUBIT_STATE_AFTER_PLAN
                    A:STATE A:INTENT B:STATE C:ACTION,                                    -
                    A:STATE A:INTENT B:STATE C:ACTION A:ACTION,                           SUBIT_ACTION_REPEATED
                    A:STATE A:INTENT B:STATE B:INTENT A:ACTION B:ACTION,                  -
                    A:STATE A:INTENT B:STATE B:INTENT A:ACTION B:ACTION A:ACTION,         SUBIT_ACTION_REPEATED
                    A:STATE A:INTENT B:INTENT B:ACTION B:ACTION,                          -
                    A:STATE A:INTENT B:INTENT C:ACTION A:STATE,                           SUBIT_STATE_AFTER_INTENT
                    A:STATE A:INTENT B:INTENT C:ACTION B:STATE,                           SUBIT_STATE_AFTER_ACTION
                    A:STATE A:INTENT B:INTENT A:INTENT~ C:ACTION A:STATE,                 SUBIT_STATE_AFTER_ACTION
                    A:STATE A:INTENT B:INTENT A:ACTION B:PLAN,                            -
                    A:STATE A:INTENT B:INTENT A:ACTION A:PLAN,                            SUBIT_PLAN_AFTER_ACTION
                    A:STATE A:INTENT B:INTENT A:ACTION C:INTENT,                          SUBIT_INTENT_AFTER_ACTION
                    A:STATE A:PLAN B:STATE,                                               -
                    A:STATE A:PLAN B:INTENT,                                              -
                    A:STATE A:PLAN B:STATE A:STATE,                                       SUBIT_STATE_AFTER_PLAN
                    A:STATE A:PLAN B:STATE A:INTENT,                                      SUBIT_INTENT_AFTER_PLAN
                    A:STATE A:PLAN B:STATE A:PLAN,                                        -
                    A:STATE A:PLAN B:STATE B:ACTION,                                      -
                    A:STATE A:INTENT B:STATE B:TRACE A:STATE,                             -
                    A:STATE A:INTENT B:STATE B:TRACE A:ACTION,                            SUBIT_ACTION_AFTER_TRACE
                    A:STATE A:INTENT B:ERROR~ A:ACTION,                                   SUBIT_EXPECTED_STATE
                    A:STATE A:INTENT B:ERROR~ B:STATE A:ACTION,                           SUBIT_ACTION_WITHOUT_INTENT
                    ?:STATE ?:INTENT ?:STATE,                                             SUBIT_STATE_AFTER_INTENT
                    ?:STATE ?:INTENT ?:INTENT,                                            SUBIT_INTENT_REPEATED
                    ?:STATE ?:INTENT A:STATE,                                             SUBIT_STATE_AFTER_INTENT
                    A:STATE A:INTENT ?:STATE,                                             SUBIT_STATE_AFTER_INTENT
                    A:STATE A:INTENT ?:INTENT,                                            SUBIT_INTENT_REPEATED
                    A:STATE A:INTENT B:STATE ?:ACTION,                                    -
                    A:STATE A:INTENT ?:ACTION ?:ACTION,                                   SUBIT_ACTION_REPEATED
                    """)
    void lanesKeepAgentsApart(String dialogue, Code expected) {
        Conversation conversation = Conversation.withDefaults();
        String[] turns = dialogue.split(" ", -1);
        for (int turn = 0; turn < turns.length; turn++) {
            boolean last = turn == turns.length - 1;
            boolean mayWarn = turns[turn].endsWith("~");
            String[] words = turns[turn].replace("~", "").split(":", -1);
            String agent = words[0].equals("?") ? null : words[0];
            Judgement judgement = conversation.say(subit(SubitType.valueOf(words[1]), agent, NOW));
            List<Code> codes = Stream.concat(judgement.warnings().stream(), Stream.ofNullable(judgement.code()))
                    .toList();
            if (last) {
                assertThat(codes).isEqualTo(Stream.ofNullable(expected).toList());
                if (expected != null) {
                    assertThat(judgement.code() != null).isEqualTo(expected.kind() == Code.Kind.VIOLATION);
                }
            } else if (!mayWarn) {
                assertThat(codes).as("%s in %s", turns[turn], dialogue).isEmpty();
            }
        }
    }

    @Test
    void theAgentIsTheOneThatTheMessageOrItsRecordNames() {
        Conversation conversation = Conversation.withDefaults();
        AgentMessage byHeader = subit(SubitType.STATE, "A", NOW);
        assertThat(byHeader.getSubit().getAgent()).isNull();
        conversation.say(byHeader);
        conversation.say(subit(SubitType.INTENT, "A", NOW));
        assertThat(conversation.state.getSubit().getLanes()).containsExactly(new SubitLane("A", SubitState.INTENT));
    }

    @Test
    void theOldestLaneGoesBeyondTheBound() {
        Conversation conversation = new Conversation(new DialogueSettings(DialogueSettings.Mode.ENFORCE, 100, 2));
        conversation.say(subit(SubitType.STATE, "A", 0));
        for (String agent : List.of("A", "B", "A", "C")) {
            conversation.say(subit(SubitType.PLAN, agent, 0));
        }
        assertThat(conversation.state.getSubit().getLanes())
                .extracting(SubitLane::getAgent)
                .containsExactly("A", "C");
        assertThat(conversation.say(subit(SubitType.STATE, "B", 0)).code()).isNull();
    }

    @ParameterizedTest
    @EnumSource(value = SubitState.class, mode = EnumSource.Mode.EXCLUDE, names = "START")
    void anIdleSessionCloses(SubitState state) {
        DialogueState before = standing(state, "A");
        assertThat(rules.expire(before, NOW)).isSameAs(before);

        DialogueState closed = rules.expire(before, NOW + 1);

        assertThat(closed.getSubit()).isNull();
        boolean incomplete = state == SubitState.STATE || state == SubitState.INTENT || state == SubitState.PLAN;
        assertThat(closed.getClosedIncomplete()).isEqualTo(incomplete);
        assertThat(before).isEqualTo(standing(state, "A"));
        assertThat(rules.expire(closed, NOW + 1)).isSameAs(closed);
    }

    @Test
    void theFirstMessageAfterAnIncompleteDialogueSaysSoOnce() {
        Conversation conversation = new Conversation(new DialogueSettings(DialogueSettings.Mode.ENFORCE, 100, 2));
        conversation.say(subit(SubitType.STATE, "A", 0));
        conversation.say(subit(SubitType.INTENT, "A", 100));
        Judgement first = conversation.say(subit(SubitType.STATE, "A", 201));
        assertThat(first.code()).isNull();
        assertThat(first.warnings()).containsExactly(Code.SUBIT_INCOMPLETE_DIALOGUE);
        assertThat(first.rule().name()).isEqualTo("START × STATE → STATE");
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

    private static DialogueState standing(SubitState state, String agent) {
        SubitDialogue subit = state == SubitState.START ? null : new SubitDialogue(state, agent, lanesOf(state, agent));
        return DialogueMessages.state(NOW, null, subit);
    }

    private static List<SubitLane> lanesOf(SubitState state, String agent) {
        return state == SubitState.INTENT || state == SubitState.PLAN
                ? List.of(new SubitLane(agent, state))
                : List.of();
    }

    private static SubitState standsAt(DialogueState state) {
        return state.getSubit() == null ? SubitState.START : state.getSubit().getState();
    }
}
