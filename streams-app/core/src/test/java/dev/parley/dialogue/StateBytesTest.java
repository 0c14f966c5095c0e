package dev.parley.dialogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.CspDialogue;
import dev.parley.avro.CspTask;
import dev.parley.avro.CspTaskState;
import dev.parley.avro.LambdaDefined;
import dev.parley.avro.LambdaDialogue;
import dev.parley.avro.LambdaPending;
import dev.parley.avro.LambdaState;
import dev.parley.avro.SubitDialogue;
import dev.parley.avro.SubitLane;
import dev.parley.avro.SubitState;
import dev.parley.dialogue.csp.CspRules;
import dev.parley.dialogue.lambda.LambdaRules;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is remembered of a conversation stays within bytes, whatever names the agents choose. */
class StateBytesTest {
    private static final SubitRules SUBIT = new SubitRules(DialogueSettings.DEFAULT);
    private static final CspRules CSP = new CspRules(DialogueSettings.DEFAULT);
    private static final LambdaRules LAMBDA = new LambdaRules(DialogueSettings.DEFAULT);

    /** Maximum bytes of a character in UTF-8. */
    private static final int CHARACTER = 3;

    /** Bytes of a hash of 32 bytes and its length. */
    private static final int HASH = 34;

    /** Characters of sender and ID of the longest item that fits, with its hash. */
    private static final int MAX_PENDING_CHARACTERS = (StateBytes.MAX_BYTES - HASH) / CHARACTER;

    /** Three of these fit, a fourth does not. */
    private static final int LONG = StateBytes.MAX_BYTES / 3 / CHARACTER - 100;

    @Test
    void aStateThatFitsIsTheSame() {
        SubitDialogue subit = new SubitDialogue(SubitState.INTENT, "a", List.of(lane("a")));
        CspDialogue csp = new CspDialogue(List.of(task("T1")));
        LambdaDialogue lambda = lambda(List.of(pending("x")), List.of(definition("n", "v")));
        assertThat(SUBIT.bounded(subit)).isSameAs(subit);
        assertThat(CSP.bounded(csp)).isSameAs(csp);
        assertThat(LAMBDA.bounded(lambda)).isSameAs(lambda);
    }

    @Test
    void theOldestTasksGoFirst() {
        CspDialogue csp = new CspDialogue(List.of(task(text('a')), task(text('b')), task(text('c')), task(text('d'))));
        assertThat(CSP.bounded(csp).getTasks())
                .extracting(CspTask::getId)
                .containsExactly(text('b'), text('c'), text('d'));
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
    void theOldestPendingItemsAndDefinitionsGoFirst() {
        LambdaDialogue lambda = lambda(
                List.of(pending(text('a')), pending(text('b')), pending(text('c')), pending(text('d'))),
                List.of(definition("old", text('a') + text('b')), definition("new", text('c') + text('d'))));
        LambdaDialogue bounded = LAMBDA.bounded(lambda);
        assertThat(bounded.getPending())
                .extracting(LambdaPending::getSender)
                .containsExactly(text('b'), text('c'), text('d'));
        assertThat(bounded.getDefinitions()).extracting(LambdaDefined::getName).containsExactly("new");
    }

    @Test
    void aTaskBeyondTheLimitIsDroppedAlone() {
        CspDialogue csp = new CspDialogue(List.of(task("T1"), task("x".repeat(StateBytes.MAX_BYTES)), task("T2")));
        assertThat(CSP.bounded(csp).getTasks()).extracting(CspTask::getId).containsExactly("T1", "T2");
    }

    @Test
    void closedTasksGoBeforeOlderOnesThatAreOpen() {
        CspDialogue csp = new CspDialogue(List.of(
                task(text('a')), task(text('b'), CspTaskState.PARTIAL), closed('c'), closed('d'), task(text('e'))));
        assertThat(CSP.bounded(csp).getTasks())
                .extracting(CspTask::getId)
                .containsExactly(text('a'), text('b'), text('e'));
    }

    @Test
    void ofClosedTasksTheOldestGoFirst() {
        CspDialogue csp = new CspDialogue(List.of(task(text('a')), closed('b'), closed('c'), closed('d')));
        assertThat(CSP.bounded(csp).getTasks())
                .extracting(CspTask::getId)
                .containsExactly(text('a'), text('c'), text('d'));
    }

    private static CspTask closed(char id) {
        return task(text(id), CspTaskState.DONE);
    }

    /** One task whose names and hashes exceed the bound by themselves; the newer one is short. */
    @ParameterizedTest
    @MethodSource
    void allOfATaskCounts(int id, int giver, int recipient, int owner, int hashes) {
        CspTask large = new CspTask(
                "x".repeat(id),
                CspTaskState.OPEN,
                "x".repeat(giver),
                "x".repeat(recipient),
                "x".repeat(owner),
                Collections.nCopies(hashes, ByteBuffer.allocate(32)),
                0L);
        CspDialogue csp = new CspDialogue(List.of(large, task("T2")));
        assertThat(CSP.bounded(csp).getTasks()).extracting(CspTask::getId).containsExactly("T2");
    }

    static Stream<Arguments> allOfATaskCounts() {
        int characters = StateBytes.MAX_BYTES / CHARACTER + 1;
        int hashes = StateBytes.MAX_BYTES / HASH + 1;
        return Stream.of(
                Arguments.of(characters, 0, 0, 0, 1),
                Arguments.of(0, characters, 0, 0, 1),
                Arguments.of(0, 0, characters, 0, 1),
                Arguments.of(0, 0, 0, characters, 1),
                Arguments.of(0, 0, 0, 0, hashes));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, MAX_PENDING_CHARACTERS / 2, MAX_PENDING_CHARACTERS})
    void aPendingItemOfTheMaximumSizeStays(int sender) {
        int id = MAX_PENDING_CHARACTERS - sender;
        LambdaPending longest =
                new LambdaPending("x".repeat(sender), LambdaState.Q_PEND, "x".repeat(id), ByteBuffer.allocate(32));
        LambdaPending longer =
                new LambdaPending("x".repeat(sender), LambdaState.Q_PEND, "x".repeat(id + 1), ByteBuffer.allocate(32));
        assertThat(LAMBDA.bounded(lambda(List.of(longest), List.of())).getPending())
                .containsExactly(longest);
        assertThat(LAMBDA.bounded(lambda(List.of(longer), List.of())).getPending())
                .isEmpty();
    }

    @Test
    void pendingItemsAndDefinitionsAreBoundedOneWithoutTheOther() {
        List<LambdaPending> tooMany =
                List.of(pending(text('a')), pending(text('b')), pending(text('c')), pending(text('d')));
        List<LambdaDefined> tooLong = List.of(definition("n", "x".repeat(StateBytes.MAX_BYTES)));
        LambdaDialogue pendingOnly = LAMBDA.bounded(lambda(tooMany, List.of(definition("n", "v"))));
        assertThat(pendingOnly.getPending()).hasSize(3);
        assertThat(pendingOnly.getDefinitions()).containsExactly(definition("n", "v"));
        LambdaDialogue definitionsOnly = LAMBDA.bounded(lambda(List.of(pending("x")), tooLong));
        assertThat(definitionsOnly.getPending()).containsExactly(pending("x"));
        assertThat(definitionsOnly.getDefinitions()).isEmpty();
    }

    private static String text(char c) {
        return String.valueOf(c).repeat(LONG);
    }

    private static CspTask task(String id) {
        return task(id, CspTaskState.OPEN);
    }

    private static CspTask task(String id, CspTaskState state) {
        return new CspTask(id, state, "A", "B", null, List.of(ByteBuffer.allocate(32)), 0L);
    }

    private static SubitLane lane(String agent) {
        return new SubitLane(agent, SubitState.INTENT);
    }

    private static LambdaPending pending(String sender) {
        return new LambdaPending(sender, LambdaState.Q_PEND, null, null);
    }

    private static LambdaDefined definition(String name, String value) {
        return new LambdaDefined(name, value, 0L);
    }

    private static LambdaDialogue lambda(List<LambdaPending> pending, List<LambdaDefined> definitions) {
        return new LambdaDialogue(LambdaState.Q_PEND, pending, false, null, 0, definitions);
    }
}
