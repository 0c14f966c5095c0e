package dev.parley.dialogue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.LambdaDefined;
import dev.parley.avro.LambdaDialogue;
import dev.parley.avro.LambdaPending;
import dev.parley.avro.LambdaState;
import dev.parley.avro.SubitDialogue;
import dev.parley.avro.SubitLane;
import dev.parley.avro.SubitState;
import dev.parley.dialogue.lambda.LambdaRules;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bounds the bytes of lanes and pending items. {@link RememberedItemsTest} has tasks and definitions. */
class StateBytesTest {
    private static final SubitRules SUBIT = new SubitRules(DialogueSettings.DEFAULT);
    private static final LambdaRules LAMBDA = new LambdaRules(DialogueSettings.DEFAULT);

    /** Bytes of sender and ID of the longest item that fits. */
    private static final int MAX_PENDING_BYTES = StateBytes.MAX_STATE - StateBytes.HASH;

    /** Three of these fit, a fourth does not. */
    private static final int LONG = StateBytes.MAX_STATE / 3 - StateBytes.HASH;

    @Test
    void aStateThatFitsIsTheSame() {
        SubitDialogue subit = new SubitDialogue(SubitState.INTENT, "a", List.of(lane("a")));
        LambdaDialogue lambda = lambda(List.of(pending("x")));
        assertThat(SUBIT.bounded(subit)).isSameAs(subit);
        assertThat(LAMBDA.bounded(lambda)).isSameAs(lambda);
    }

    @Test
    void theOldestLanesGoFirst() {
        SubitDialogue subit = new SubitDialogue(
                SubitState.INTENT, "d", List.of(lane(text('a')), lane(text('b')), lane(text('c')), lane(text('d'))));
        SubitDialogue bounded = SUBIT.bounded(subit);
        assertThat(bounded.getLanes()).extracting(SubitLane::getAgent).containsExactly(text('b'), text('c'), text('d'));
        assertThat(bounded.getState()).isEqualTo(SubitState.INTENT);
    }

    @Test
    void theOldestPendingItemsGoFirst() {
        LambdaDialogue bounded = LAMBDA.bounded(
                lambda(List.of(pending(text('a')), pending(text('b')), pending(text('c')), pending(text('d')))));
        assertThat(bounded.getPending())
                .extracting(LambdaPending::getSender)
                .containsExactly(text('b'), text('c'), text('d'));
        assertThat(bounded.getDefinitions()).containsExactly(new LambdaDefined("n", "v", 0L));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, MAX_PENDING_BYTES / 2, MAX_PENDING_BYTES})
    void aPendingItemOfTheMaximumSizeStays(int sender) {
        int id = MAX_PENDING_BYTES - sender;
        LambdaPending longest =
                new LambdaPending("x".repeat(sender), LambdaState.Q_PEND, "x".repeat(id), ByteBuffer.allocate(32));
        LambdaPending longer =
                new LambdaPending("x".repeat(sender), LambdaState.Q_PEND, "x".repeat(id + 1), ByteBuffer.allocate(32));
        assertThat(LAMBDA.bounded(lambda(List.of(longest))).getPending()).containsExactly(longest);
        assertThat(LAMBDA.bounded(lambda(List.of(longer))).getPending()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "ä", "€", "😀", "a😀ä€"})
    void aTextCountsWithItsBytesInUtf8(String text) {
        assertThat(StateBytes.of(text)).isEqualTo(text.getBytes(UTF_8).length);
        assertThat(StateBytes.of(null)).isZero();
    }

    private static String text(char c) {
        return String.valueOf(c).repeat(LONG);
    }

    private static SubitLane lane(String agent) {
        return new SubitLane(agent, SubitState.INTENT);
    }

    private static LambdaPending pending(String sender) {
        return new LambdaPending(sender, LambdaState.Q_PEND, null, null);
    }

    private static LambdaDialogue lambda(List<LambdaPending> pending) {
        return new LambdaDialogue(
                LambdaState.Q_PEND, pending, false, null, 0, List.of(new LambdaDefined("n", "v", 0L)));
    }
}
