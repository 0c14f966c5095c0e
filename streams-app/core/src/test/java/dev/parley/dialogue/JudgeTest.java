package dev.parley.dialogue;

import static dev.parley.dialogue.Citations.cited;
import static dev.parley.dialogue.DialogueMessages.slip;
import static dev.parley.dialogue.DialogueMessages.subit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Protocol;
import dev.parley.avro.SlipAct;
import dev.parley.avro.SlipDialogue;
import dev.parley.avro.SlipFrame;
import dev.parley.avro.Stage;
import dev.parley.avro.SubitType;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import dev.parley.protocol.Protocols;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class JudgeTest {
    private static final ConversationState FRESH = ConversationState.NEW;
    private static final List<SlipAct> ACTS = known(SlipAct.values(), SlipAct.UNKNOWN);
    private static final List<SubitType> TYPES = known(SubitType.values(), SubitType.UNKNOWN);
    private static final List<String> AGENTS = Arrays.asList("A", "B", "C", null);

    @ParameterizedTest
    @CsvSource({"ENFORCE, REJECTED", "OBSERVE, FLAGGED"})
    void aViolationIsRejectedOrFlaggedAndMovesNoState(DialogueSettings.Mode mode, Verdict verdict) {
        Conversation conversation = in(mode);
        conversation.say(subit(SubitType.STATE, "A", 0));
        Judgement judgement = conversation.say(subit(SubitType.ACTION, "A", 0));
        assertThat(judgement.verdict()).isEqualTo(verdict);
        assertThat(judgement.stage()).isEqualTo(Stage.JUDGE);
        assertThat(judgement.code()).isEqualTo(Code.SUBIT_ACTION_WITHOUT_INTENT);
        assertThat(cited(judgement.rule())).isEqualTo("2.4: STATE × ACTION → V SUBIT_ACTION_WITHOUT_INTENT [C]");
        assertThat(conversation.say(subit(SubitType.INTENT, "A", 0)).verdict()).isEqualTo(Verdict.ACCEPTED);
    }

    @ParameterizedTest
    @EnumSource(DialogueSettings.Mode.class)
    void aFlaggedSlipMessageTakesItsTurnLikeARejectedOneButIsNoDuplicate(DialogueSettings.Mode mode) {
        Conversation conversation = in(mode);
        conversation.say(slip(1, SlipAct.EVAL, 1L, 0));
        assertThat(conversation.say(slip(1, SlipAct.EVAL, 1L, 0)).code()).isEqualTo(Code.SLIP_NOTHING_TO_EVAL);
        assertThat(conversation.say(slip(1, SlipAct.REQUEST, 1L, 0)).code()).isEqualTo(Code.SLIP_TURN_REUSED);
    }

    @ParameterizedTest
    @EnumSource(DialogueSettings.Mode.class)
    void anAcceptedMessageHasNeitherCodeNorStage(DialogueSettings.Mode mode) {
        Judgement judgement = in(mode).say(slip(1, SlipAct.REQUEST, 1L, 5));
        assertThat(judgement.verdict()).isEqualTo(Verdict.ACCEPTED);
        assertThat(judgement.stage()).isEqualTo(Stage.NONE);
        assertThat(judgement.code()).isNull();
        assertThat(cited(judgement.rule())).isEqualTo("1.4: NEW × REQUEST → REQUESTED [S]");
    }

    @Test
    void theDecodersWarningsComeFirstAndEachOnce() {
        AgentMessage message = slip(1, SlipAct.REQUEST, SlipFrame.PLAN, 4, 4, 1L, null, "", 0);
        Judgement judgement = Protocols.STANDARD
                .judge(DialogueSettings.DEFAULT)
                .judge(
                        FRESH,
                        message,
                        List.of(Code.SENDER_MISMATCH, Code.SLIP_RANGE, Code.SLIP_FRAME_MISMATCH),
                        List.of(),
                        DialogueMessages.NO_CHECKPOINTS);
        assertThat(judgement.warnings())
                .containsExactly(
                        Code.SENDER_MISMATCH, Code.SLIP_RANGE, Code.SLIP_FRAME_MISMATCH, Code.SLIP_SELF_ADDRESSED);
    }

    @Test
    void theDecodersWarningsStandAloneWhenTheRulesHaveNone() {
        Judgement judgement = Protocols.STANDARD
                .judge(DialogueSettings.DEFAULT)
                .judge(
                        FRESH,
                        slip(1, SlipAct.REQUEST, 1L, 0),
                        List.of(Code.SENDER_MISMATCH, Code.SLIP_RANGE),
                        List.of(),
                        DialogueMessages.NO_CHECKPOINTS);
        assertThat(judgement.warnings()).containsExactly(Code.SENDER_MISMATCH, Code.SLIP_RANGE);
    }

    @Test
    void aMessageWithoutEffectAtTheTimeOfTheLastOneLeavesTheSameState() {
        Conversation conversation = Conversation.withDefaults();
        conversation.say(subit(SubitType.STATE, "A", 7));
        ConversationState before = conversation.state;
        assertThat(conversation.say(subit(SubitType.ACTION, "A", 7)).next()).isSameAs(before);
    }

    @ParameterizedTest
    @CsvSource({
        "CSP_PATCH_NAME_TWICE, APPLY, 3.2 C11",
        "CSP_SELF_APPLY, APPLY, 3.2 C18",
        "LAMBDA_CHECKSUM, JUDGE, 4.2 L1",
        "LAMBDA_TABLE_RAGGED, JUDGE, 4.2 L22",
        "LAMBDA_ERROR_LOOP, JUDGE, 0",
    })
    void aViolationFoundByTheDecoderDecidesBeforeTheRulesAndLeavesTheState(Code code, Stage stage, String section) {
        Conversation conversation = Conversation.withDefaults();
        conversation.say(slip(1, SlipAct.REQUEST, 1L, 5));
        ConversationState before = conversation.state;
        Judgement judgement = conversation.judge.judge(
                before,
                slip(2, SlipAct.PROPOSE, 1L, 8),
                List.of(Code.SLIP_RANGE),
                List.of(code, Code.LAMBDA_FLOOR),
                DialogueMessages.NO_CHECKPOINTS);
        assertThat(judgement.code()).isEqualTo(code);
        assertThat(judgement.verdict()).isEqualTo(Verdict.REJECTED);
        assertThat(judgement.stage()).isEqualTo(stage);
        assertThat(judgement.warnings()).containsExactly(Code.SLIP_RANGE);
        assertThat(judgement.rule().getSection()).isEqualTo(section);
        assertThat(judgement.next())
                .isEqualTo(DialogueMessages.state(8, before.dialogue().state()));
    }

    @Test
    void aProtocolWithoutRulesIsRefused() {
        Judge judge = Protocols.STANDARD.judge(DialogueSettings.DEFAULT);
        AgentMessage unknown = DialogueMessages.of(Protocol.UNKNOWN, 0);
        assertThatThrownBy(() -> judge.judge(FRESH, unknown, List.of(), List.of(), DialogueMessages.NO_CHECKPOINTS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("UNKNOWN");
    }

    @Test
    void lastActivityNeverRunsBackwards() {
        Conversation conversation = Conversation.withDefaults();
        assertThat(conversation.say(slip(1, SlipAct.REQUEST, 1L, 50)).next().lastActivity())
                .isEqualTo(50);
        assertThat(conversation.say(slip(2, SlipAct.PROPOSE, 1L, 20)).next().lastActivity())
                .isEqualTo(50);
        assertThat(conversation.dialogue(SlipDialogue.class).getTasks().get(0).getLastActivity())
                .isEqualTo(50);
        assertThat(conversation.say(slip(2, SlipAct.ACCEPT, 1L, 70)).next().lastActivity())
                .isEqualTo(70);
    }

    @Test
    void sequenceAndHeadOfTheChainAreCarriedOverUntouched() {
        ChainHead head = new ChainHead(17, ByteBuffer.wrap(new byte[] {1, 2, 3}), 2);
        Judge judge = Protocols.STANDARD.judge(new DialogueSettings(DialogueSettings.Mode.ENFORCE, 100, 10));
        for (List<AgentMessage> messages : List.of(
                List.of(
                        slip(1, SlipAct.REQUEST, 1L, 0),
                        slip(2, SlipAct.EVAL, 1L, 0),
                        slip(2, SlipAct.EVAL, 2L, 0),
                        slip(2, SlipAct.EVAL, 2L, 500)),
                List.of(subit(SubitType.STATE, "A", 500), subit(SubitType.ACTION, "A", 700)))) {
            ConversationState state = new ConversationState(head, 0, Dialogue.NONE);
            for (AgentMessage message : messages) {
                state = judge.judge(state, message, List.of(), List.of(), DialogueMessages.NO_CHECKPOINTS)
                        .next();
                state = judge.expire(state, 500);
                assertThat(state.head()).isEqualTo(head);
                assertThat(judge.hashTexts(state).head()).isEqualTo(head);
            }
        }
    }

    @Test
    void anActiveConversationDoesNotExpire() {
        Conversation conversation = new Conversation(new DialogueSettings(DialogueSettings.Mode.ENFORCE, 100, 10));
        conversation.say(slip(1, SlipAct.REQUEST, 1L, 40));
        assertThat(conversation.judge.expire(conversation.state, 140)).isSameAs(conversation.state);
        assertThat(conversation.judge.expire(conversation.state, 141)).isNotSameAs(conversation.state);
        assertThat(conversation.judge.expire(FRESH, Long.MAX_VALUE)).isSameAs(FRESH);
    }

    @Test
    void expiringEarlyGivesTheSameSlipVerdictsAsExpiringWithTheNextMessage() {
        eagerEqualsLazy((random, millis) -> slip(
                random.nextInt(60),
                anyOf(random, ACTS),
                random.nextInt(4) == 0 ? null : (long) random.nextInt(3),
                millis));
        int[] turn = {0};
        eagerEqualsLazy((random, millis) -> slip(
                random.nextInt(8) == 0 ? turn[0] : (turn[0] += 1 + random.nextInt(9) / 8),
                anyOf(random, ACTS),
                random.nextInt(4) == 0 ? null : (long) random.nextInt(3),
                millis));
    }

    @Test
    void expiringEarlyGivesTheSameSubitVerdictsAsExpiringWithTheNextMessage() {
        eagerEqualsLazy((random, millis) -> subit(anyOf(random, TYPES), anyOf(random, AGENTS), millis));
    }

    /**
     * Two judges hear the same messages; one closes what is idle at random times between them. No state is ever changed
     * in place.
     */
    private static void eagerEqualsLazy(BiFunction<Random, Long, AgentMessage> messages) {
        long seed = Long.getLong("parley.seed", System.nanoTime());
        Random random = new Random(seed);
        DialogueSettings settings = new DialogueSettings(DialogueSettings.Mode.ENFORCE, 100, 2);
        Conversation lazy = new Conversation(settings);
        Conversation eager = new Conversation(settings);
        int[] gaps = {0, 1, 10, 30, 60, 100, 101, 250};
        long millis = 0;
        for (int n = 0; n < 5_000; n++) {
            long next = millis + gaps[random.nextInt(gaps.length)];
            for (int k = random.nextInt(3); k > 0; k--) {
                eager.state = unchanged(
                        eager.state,
                        eager.judge.expire(eager.state, millis + random.nextLong(next - millis + 1)),
                        seed);
            }
            AgentMessage message = messages.apply(random, next);
            ConversationState before = lazy.state;
            String stateText = before.toString();
            String messageText = message.toString();

            Judgement judgement = lazy.say(message);

            assertThat(eager.say(message))
                    .as("message %d, parley.seed=%d", n, seed)
                    .isEqualTo(judgement);
            assertThat(before.toString())
                    .as("state before message %d, parley.seed=%d", n, seed)
                    .isEqualTo(stateText);
            assertThat(message.toString())
                    .as("message %d, parley.seed=%d", n, seed)
                    .isEqualTo(messageText);
            millis = next;
        }
    }

    private static ConversationState unchanged(ConversationState before, ConversationState after, long seed) {
        assertThat(after.lastActivity()).as("parley.seed=%d", seed).isEqualTo(before.lastActivity());
        return after;
    }

    private static <T> List<T> known(T[] values, T unknown) {
        return Stream.of(values).filter(value -> value != unknown).toList();
    }

    private static <T> T anyOf(Random random, List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private static Conversation in(DialogueSettings.Mode mode) {
        return new Conversation(new DialogueSettings(mode, 1_000, 10));
    }
}
