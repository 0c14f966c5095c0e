package dev.parley.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.Inbound;
import dev.parley.avro.ParkedPatch;
import dev.parley.avro.Source;
import dev.parley.checkpoint.PatchOutcome.Applied;
import dev.parley.checkpoint.PatchOutcome.Parked;
import dev.parley.testing.CspDraft;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order of released patches, in one go and in slices that are continued from the stores alone. */
class ReleasedPatchQueueTest {
    private static final long HOUR = CheckpointSettings.DEFAULT.parkingMillis();

    /** The order in which {@link #parkTree} must be released. */
    private static final List<String> TREE = List.of("P2", "P3", "P8", "P9", "P4", "P5", "P6", "P7");

    private final MemoryStore<Checkpoint> nodes = new MemoryStore<>();
    private final MemoryStore<String> index = new MemoryStore<>();
    private final MemoryStore<ParkedPatch> lot = new MemoryStore<>();
    private final Map<ByteBuffer, AgentMessage> sent = new HashMap<>();
    private final List<String> judged = new ArrayList<>();
    private final List<String> causes = new ArrayList<>();
    private Checkpoints checkpoints = open();
    private ReleasedPatchQueue queue = new ReleasedPatchQueue(checkpoints);

    @Test
    void patchesOfOneBaseLeaveInTheOrderOfArrival() {
        for (int i = 11; i > 0; i--) {
            park("ctx", "P" + i, "C1", "T" + i);
        }
        release("ctx", "P0", "C1");
        judge(100);
        assertThat(judged).containsExactly("P11", "P10", "P9", "P8", "P7", "P6", "P5", "P4", "P3", "P2", "P1");
        assertThat(queue.next()).isEmpty();
    }

    @Test
    void patchesOfAChainLeaveFromTheBaseDown() {
        for (int i = 9; i > 0; i--) {
            park("ctx", "P" + i, "C" + i, "C" + (i + 1));
        }
        release("ctx", "P0", "C1");
        judge(100);
        assertThat(judged).containsExactly("P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9");
    }

    @Test
    void eachPatchIsFollowedByThoseOfItsOwnCheckpoint() {
        parkTree("ctx");
        release("ctx", "P1", "C1");
        judge(100);
        assertThat(judged).isEqualTo(TREE);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    void aCascadeSuspendedAfterAnyPatchContinuesInTheSameOrder(int patches) {
        parkTree("ctx");
        release("ctx", "P1", "C1");
        judge(patches);
        assertThat(queue.suspend()).isTrue();
        reopen();
        resume(100);
        assertThat(judged).isEqualTo(TREE);
        assertThat(queue.suspend()).isFalse();
        assertNothingRemains();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void aCascadeSuspendedAgainAndAgainContinuesInTheSameOrder(int slice) {
        parkTree("ctx");
        release("ctx", "P1", "C1");
        judge(slice);
        resumeInSlices(slice);
        assertThat(judged).isEqualTo(TREE);
        assertNothingRemains();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 100})
    void suspendedCascadesContinueOldestFirstAndEachToItsEnd(int slice) {
        List<String> expected = new ArrayList<>();
        for (int i = 11; i > 0; i--) {
            String context = "ctx" + i;
            parkTree(context);
            release(context, "P1", "C1");
            assertThat(queue.suspend()).isTrue();
            reopen();
            TREE.forEach(id -> expected.add(context + " " + id));
        }
        List<String> order = new ArrayList<>();
        while (queue.resume()) {
            List<String> contexts = judge(slice);
            queue.suspend();
            for (String context : contexts) {
                order.add(context + " " + judged.get(order.size()));
            }
            reopen();
        }
        assertThat(order).isEqualTo(expected);
        assertNothingRemains();
    }

    @Test
    void aCascadeThatIsSuspendedAgainTakesOnePositionForEachBase() {
        parkTree("ctx");
        release("ctx", "P1", "C1");
        judge(1);
        queue.suspend();
        assertThat(bases()).containsExactly("C2", "C1");
        long last = positions().get(1);
        for (int i = 0; i < 2; i++) {
            reopen();
            assertThat(queue.resume()).isTrue();
            judge(1);
            queue.suspend();
        }
        // P3 made C3, and of its two patches P8 left.
        assertThat(bases()).containsExactly("C3", "C2", "C1");
        assertThat(positions()).containsExactly(last - 2, last - 1, last);
    }

    @Test
    void aNewCascadeDoesNotContinueAnEarlierOne() {
        park("a", "P2", "C1", "C2");
        park("b", "P2", "C1", "C2");
        release("a", "P1", "C1");
        queue.suspend();
        reopen();
        release("b", "P1", "C1");
        queue.suspend();
        assertThat(keys("free|")).hasSize(2);
        reopen();
        assertThat(queue.resume()).isTrue();
        assertThat(judge(100)).containsExactly("a");
        assertThat(queue.resume()).isTrue();
        assertThat(judge(100)).containsExactly("b");
        assertThat(queue.resume()).isFalse();
    }

    @Test
    void theCauseOfAReleaseIsTheRecordThatBeganTheCascade() {
        assertThat(queue.cause()).isNull();
        parkTree("a");
        parkTree("b");
        Source first = release("a", "P1", "C1");
        judge(100);
        assertThat(causes).hasSize(TREE.size()).containsOnly(first.toString());
        causes.clear();
        Source second = release("b", "P1", "C1");
        judge(2);
        queue.suspend();
        resumeInSlices(2);
        assertThat(causes).hasSize(TREE.size()).containsOnly(second.toString());
        assertThat(second).isNotEqualTo(first);
    }

    @Test
    void nothingIsStoredWhileNothingRemains() {
        park("ctx", "P2", "C1", "C2");
        release("ctx", "P1", "C1");
        judge(100);
        assertThat(queue.suspend()).isFalse();
        release("ctx", "P3", "C3");
        assertThat(queue.suspend()).isFalse();
        assertThat(keys("free")).isEmpty();
        assertThat(queue.resume()).isFalse();
    }

    @Test
    void aSuspendedQueueIsEmpty() {
        parkTree("ctx");
        release("ctx", "P1", "C1");
        assertThat(queue.suspend()).isTrue();
        assertThat(queue.next()).isEmpty();
        assertThat(queue.suspend()).isFalse();
        assertThat(bases()).containsExactly("C1");
    }

    @Test
    void aPatchThatExpiredMeanwhileIsSkipped() {
        apply(patch("ctx", "P2", "C1", "C2"), 0);
        apply(patch("ctx", "P4", "C3", "C4"), 1);
        release("ctx", "P3", "C3");
        release("ctx", "P1", "C1");
        expire(1);
        assertThat(judge(100)).hasSize(1);
        assertThat(judged).containsExactly("P4");
    }

    @Test
    void aStoredBaseWhosePatchesExpiredMeanwhileIsSkipped() {
        apply(patch("ctx", "P2", "C1", "C2"), 0);
        release("ctx", "P1", "C1");
        queue.suspend();
        reopen();
        expire(1);
        assertThat(queue.resume()).isTrue();
        assertThat(queue.next()).isEmpty();
        assertThat(queue.suspend()).isFalse();
        assertThat(queue.resume()).isFalse();
        assertNothingRemains();
    }

    /** P2, P5 and P7 wait for C1; P3 and P4 for C2; P8 and P9 for C3; P6 for C5. */
    private void parkTree(String context) {
        park(context, "P6", "C5", "C6");
        park(context, "P8", "C3", "C8");
        park(context, "P3", "C2", "C3");
        park(context, "P2", "C1", "C2");
        park(context, "P5", "C1", "C5");
        park(context, "P4", "C2", "C4");
        park(context, "P9", "C3", "C9");
        park(context, "P7", "C1", "C7");
    }

    private void park(String context, String id, String base, String target) {
        assertThat(apply(patch(context, id, base, target), 0)).isInstanceOf(Parked.class);
    }

    /** Applies a patch to the root, which releases those that wait for its checkpoint; returns its input record. */
    private Source release(String context, String id, String target) {
        AgentMessage message = patch(context, id, "C0", target);
        queue.add(((Applied) apply(message, 0)).checkpoint());
        return message.getSource();
    }

    /** Judges up to this many released patches; returns their contexts. */
    private List<String> judge(int limit) {
        List<String> contexts = new ArrayList<>();
        while (contexts.size() < limit) {
            Optional<ParkedPatch> next = queue.next();
            if (next.isEmpty()) {
                break;
            }
            AgentMessage message = sent.get(next.get().getPatchHash());
            contexts.add(next.get().getContext());
            judged.add(message.getCsp().getId());
            causes.add(queue.cause().toString());
            if (checkpoints.apply(message, 0, Inbound::new, queue.cause()) instanceof Applied applied) {
                queue.add(applied.checkpoint());
            }
        }
        return contexts;
    }

    /** Judges up to this many patches of stored cascades. */
    private void resume(int limit) {
        int count = 0;
        while (count < limit && queue.resume()) {
            count += judge(limit - count).size();
        }
    }

    private void resumeInSlices(int slice) {
        int before = -1;
        while (queue.suspend() || judged.size() > before) {
            before = judged.size();
            reopen();
            resume(slice);
        }
    }

    private void expire(int limit) {
        checkpoints.due(HOUR, limit).forEach(checkpoints::expire);
        checkpoints.save();
    }

    private PatchOutcome apply(AgentMessage message, long now) {
        return checkpoints.apply(message, now, Inbound::new);
    }

    private AgentMessage patch(String context, String id, String base, String target) {
        AgentMessage message =
                CspDraft.patch(id, base, target, "").in("default", context).build(context + id + base + target);
        message.setSource(new Source("wire", 0, (long) sent.size(), Instant.EPOCH, null));
        sent.put(message.getSha256(), message);
        return message;
    }

    private Checkpoints open() {
        return new Checkpoints(nodes, index, lot, CheckpointSettings.DEFAULT);
    }

    private void reopen() {
        checkpoints = open();
        queue = new ReleasedPatchQueue(checkpoints);
    }

    private void assertNothingRemains() {
        assertThat(keys("free|")).isEmpty();
        assertThat(keys("parked")).isEmpty();
        assertThat(open().parking().isEmpty()).isTrue();
    }

    private List<String> keys(String prefix) {
        List<String> keys = new ArrayList<>();
        index.scan(prefix, (key, value) -> keys.add(key));
        return keys;
    }

    private List<String> bases() {
        List<String> ids = new ArrayList<>();
        index.scan("free|", (key, base) -> ids.add(CheckpointKey.parse(base).id()));
        return ids;
    }

    private List<Long> positions() {
        return keys("free|").stream()
                .map(key -> Long.parseLong(key.substring(key.lastIndexOf('|') + 1)))
                .toList();
    }
}
