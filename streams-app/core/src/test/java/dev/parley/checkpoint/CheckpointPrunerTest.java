package dev.parley.checkpoint;

import static dev.parley.testing.CspDraft.patch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.Inbound;
import dev.parley.avro.ParkedPatch;
import dev.parley.checkpoint.CheckpointSettings.Branching;
import dev.parley.checkpoint.PatchOutcome.Applied;
import dev.parley.checkpoint.PatchOutcome.Duplicate;
import dev.parley.checkpoint.PatchOutcome.Rejected;
import dev.parley.codec.Code;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pruner deletes superseded checkpoints, and all others can still be rebuilt. */
class CheckpointPrunerTest {
    private static final long KEPT = 1_000;
    private static final long TODAY = 1_000_000;

    /** So much that a checkpoint has a snapshot of it only now and then. */
    private static final String LARGE = "x".repeat(1_000);

    private final MemoryStore<Checkpoint> nodes = new MemoryStore<>();
    private final CountingStore<String> index = new CountingStore<>();
    private final MemoryStore<ParkedPatch> lot = new MemoryStore<>();
    private Checkpoints checkpoints = open();

    @Test
    void aSupersededCheckpointIsPrunedWhenItsTimeIsOver() {
        apply("P1", "C0", "C1", "+A=" + LARGE, 0);
        apply("P2", "C1", "C2", "+B=2", 100);
        assertThat(node("C2").getSnapshot()).isNull();
        assertThat(apply("P3", "C2", "C3", "+C=3", 1_199).written())
                .extracting(Checkpoint::getId)
                .containsExactly("C3");
        assertThat(node("C1").getPrunedAt()).isNull();

        Applied applied = apply("P4", "C3", "C4", "+D=4", 1_200);

        assertThat(applied.written()).extracting(Checkpoint::getId).containsExactly("C2", "C1", "C4");
        assertThat(node("C2").getSnapshot()).isEqualTo(Map.of("A", LARGE, "B", "2"));
        Checkpoint stub = node("C1");
        assertThat(stub.getPrunedAt()).isEqualTo(Instant.ofEpochMilli(1_200));
        assertThat(stub.getOperations()).isEmpty();
        assertThat(stub.getDeltaBytes()).isZero();
        assertThat(stub.getParent()).isEqualTo("C0");
        assertThat(stub.getHash())
                .isEqualTo(reader().checkpoint(key("C1")).orElseThrow().getHash());
        assertThat(reader().state(key("C1"))).isEmpty();
        assertThat(reader().exists(key("C1"))).isTrue();
        assertThat(reader().definitions(key("C4")).orElseThrow())
                .containsEntry("A", new Definition(LARGE, 1))
                .containsEntry("D", new Definition("4", 4));
    }

    @Test
    void aPrunedCheckpointHasNoSnapshot() {
        apply("P1", "C0", "C1", "+A=1", 0);
        apply("P2", "C1", "C2", "+B=2", 0);
        assertThat(node("C1").getSnapshot()).isNotEmpty();
        assertThat(node("C1").getSetters()).isNotEmpty();
        apply("P3", "C2", "C3", "+C=3", 2_000);
        assertThat(node("C1").getPrunedAt()).isNotNull();
        assertThat(node("C1").getSnapshot()).isNull();
        assertThat(node("C1").getSetters()).isNull();
    }

    @Test
    void withoutARetentionTimeACheckpointIsPrunedAsSoonAsItIsSuperseded() {
        checkpoints = new Checkpoints(
                nodes,
                index,
                lot,
                TestCheckpointSettings.of(Branching.WARN, 100, KEPT, 8L << 20, 1 << 20, 0),
                () -> TODAY);
        apply("P1", "C0", "C1", "+A=1", 0);
        apply("P2", "C1", "C2", "+B=2", 0);
        assertThat(stubs()).containsExactly("C1");
    }

    @Test
    void onceAPruningIsWorthItAllThatIsDueGoesAndNothingIsSavedOfIt() {
        apply("P1", "C0", "C1", "+A=" + LARGE, 0);
        apply("P2", "C1", "C2", "+B=2", 10);
        apply("P3", "C2", "C3", "+C=3", 100);
        apply("P4", "C3", "C4", "+D=4", 900);

        Applied applied = apply("P5", "C4", "C5", "+E=5", 1_110);

        // C1 was superseded at 10, which is long enough ago to begin; C2 at 100, which is only just.
        assertThat(applied.written()).extracting(Checkpoint::getId).containsExactly("C3", "C1", "C2", "C5");
        index.scan("old|", (key, child) -> {
            assertThat(key).doesNotEndWith("|C1").doesNotEndWith("|C2");
            return true;
        });
    }

    @Test
    void aCheckpointThatNoPatchWasAppliedToIsKept() {
        apply("P1", "C0", "C1", "+A=1", 0);
        apply("P2", "C1", "C2", "+B=2", 0);
        apply("P3", "C1", "C3", "+C=3", 0);
        apply("P4", "C3", "C4", "+D=4", 0);

        apply("P5", "C4", "C5", "+E=5", 100_000);
        apply("P6", "C5", "C6", "~E=6 -A", 200_000);

        assertThat(stubs()).containsExactly("C1", "C3", "C4");
        assertThat(reader().state(key("C2")).orElseThrow()).isEqualTo(Map.of("A", "1", "B", "2"));
        assertThat(apply("P7", "C2", "C7", "-B", 300_000).checkpoint().getParent())
                .isEqualTo("C2");
    }

    @Test
    void aHistoryEndsAtThePrunedCheckpointAndNamesIt() {
        apply("P1", "C0", "C1", "+A=1", 0);
        apply("P2", "C1", "C2", "~A=2", 0);
        apply("P3", "C2", "C3", "~A=3", 1_900);
        apply("P4", "C3", "C4", "+D=4", 2_000);

        HistoryReader.History history = HistoryReader.of(reader(), key("C4"), "A", 10);

        assertThat(history.changes()).extracting(Checkpoint::getId).containsExactly("C3", "C2");
        assertThat(history.pruned()).map(Checkpoint::getId).contains("C1");
    }

    @Test
    void aPatchOfAPrunedCheckpointIsRejectedAndSaysWhen() {
        prunedC1();
        assertThat(outcome("P9", "C1", "C9", "+Z=1", 2_001)).isInstanceOfSatisfying(Rejected.class, rejected -> {
            assertThat(rejected.code()).isEqualTo(Code.CSP_UNKNOWN_BASE);
            assertThat(rejected.detail()).isEqualTo("base C1 was pruned at 1970-01-01T00:00:02Z");
        });
        assertThat(checkpoints.due(Long.MAX_VALUE / 2, 1)).isEmpty();
    }

    @Test
    void thePatchThatMadeAPrunedCheckpointIsStillKnown() {
        prunedC1();
        assertThat(outcome("P1", "C0", "C1", "+A=1", 2_001)).isInstanceOf(Duplicate.class);
        assertThat(outcome("P1", "C0", "C1", "+A=2", 2_001))
                .isInstanceOfSatisfying(
                        Rejected.class,
                        rejected -> assertThat(rejected.code()).isEqualTo(Code.CSP_CHECKPOINT_CONFLICT));
        assertThat(outcome("P1", "C2", "C9", "-A", 2_001))
                .isInstanceOfSatisfying(
                        Rejected.class, rejected -> assertThat(rejected.code()).isEqualTo(Code.CSP_PATCH_ID_REUSED));
    }

    @Test
    void aVerdictByAPrunedCheckpointDoesNotDependOnMemory() {
        apply("P1", "C0", "C1", "+A=1", 0);
        apply("P2", "C1", "C2", "+B=2", 0);
        CheckpointReader warm = reader();
        assertThat(warm.names(key("C1")).test("X")).isFalse();

        apply("P3", "C2", "C3", "", 2_000);

        assertThat(warm.names(key("C1")).test("X")).isTrue();
        assertThat(reader().names(key("C1")).test("X")).isTrue();
        assertThat(warm.names(key("C8")).test("X")).isFalse();
    }

    @Test
    void aPatchDatedAheadDoesNotPruneWhatIsYoung() {
        apply("P1", "C0", "C1", "+A=1", TODAY);
        apply("P2", "C1", "C2", "+B=2", TODAY);
        apply("P3", "C2", "C3", "+C=3", Long.MAX_VALUE);
        assertThat(stubs()).isEmpty();
    }

    @Test
    void nothingIsPrunedWithoutARetention() {
        checkpoints = new Checkpoints(nodes, index, lot, CheckpointSettings.DEFAULT, () -> TODAY);
        prunedC1();
        assertThat(stubs()).isEmpty();
    }

    @Test
    void onePatchPrunesNoMoreThanItsTransactionShouldHold() {
        apply("P0", "C0", "C1", "", 0);
        IntStream.range(1, 1_200).forEach(i -> apply("P" + i, "C" + i, "C" + (i + 1), "", 0));
        List<Integer> pruned = new ArrayList<>();
        for (int i = 1_200; i < 1_204; i++) {
            pruned.add(
                    apply("P" + i, "C" + i, "C" + (i + 1), "", 5_000).written().size());
        }
        assertThat(stubs()).hasSize(1_199);
        assertThat(pruned).allMatch(written -> written <= CheckpointPruner.MAX_PRUNED + 2);
    }

    @Test
    void aBaseWithManyChildrenIsPrunedByMoreThanOnePatch() {
        apply("P0", "C0", "C1", "+A=" + LARGE, 0);
        IntStream.range(0, 350).forEach(i -> apply("S" + i, "C1", "D" + i, "+B=" + i, 0));
        List<Integer> written = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            written.add(
                    apply("P" + (i + 1), "D" + i, "E" + i, "", 5_000).written().size());
        }
        // The first child and 99 others, 100 others, and so on; with the last of them the base itself.
        assertThat(written).startsWith(101, 101, 101);
        assertThat(written).allMatch(count -> count <= CheckpointPruner.MAX_SNAPSHOTS + 2);
        assertThat(stubs()).contains("C1");
        checkpoints = open();
        IntStream.range(5, 350)
                .forEach(
                        i -> assertThat(checkpoints.reader().state(key("D" + i)).orElseThrow())
                                .isEqualTo(Map.of("A", LARGE, "B", "" + i)));
        index.scan("fork|", (key, value) -> fail("the index still has " + key));
        index.scan("kept|", (key, value) -> fail("the index still has " + key));
    }

    @Test
    void manyBasesArePrunedByMoreThanOnePatch() {
        for (int i = 0; i < 150; i++) {
            apply("P" + i, "C0", "C" + (i + 1), "+A=" + LARGE, 0);
            apply("Q" + i, "C" + (i + 1), "D" + i, "+B=" + i, 0);
        }
        assertThat(apply("R1", "D0", "E0", "", 5_000).written()).hasSize(CheckpointPruner.MAX_SNAPSHOTS + 1);
        assertThat(stubs()).isEmpty();
        // 50 more children, all bases, and the new checkpoint.
        assertThat(apply("R2", "D1", "E1", "", 5_000).written()).hasSize(50 + 150 + 1);
        assertThat(stubs()).hasSize(150);
        index.scan("kept|", (key, value) -> fail("the index still has " + key));
    }

    @Test
    void childrenThatArePrunedAsWellGetNoSnapshot() {
        apply("P", "C0", "C1", "+A=" + LARGE, 0);
        for (int i = 0; i < 60; i++) {
            apply("P" + i, "C1", "D" + i, "+B=" + i, 0);
            apply("Q" + i, "D" + i, "E" + i, "+C=" + i, 0);
        }
        // 60 heads with a snapshot, which leaves no room for the 60 between; 61 stubs, and the new checkpoint.
        assertThat(apply("R", "C0", "C2", "", 5_000).written()).hasSize(60 + 61 + 1);
        assertThat(stubs()).hasSize(61);
        index.scan("fork|" + key("C1"), (key, value) -> fail("the index still has " + key));
    }

    @Test
    void onePatchAddsSnapshotsOfNoMoreThanTheLimitOfBytes() {
        int half = (int) (CheckpointPruner.MAX_SNAPSHOT_BYTES / 2);
        apply("P", "C0", "C1", "+A=" + "x".repeat(half - 1), 0);
        for (int i = 0; i < 4; i++) {
            apply("P" + i, "C1", "D" + i, "", 0);
        }
        assertThat(node("D0").getStateBytes()).isEqualTo(half);
        assertThat(apply("Q1", "C0", "E1", "", 5_000).written())
                .extracting(Checkpoint::getId)
                .containsExactly("D0", "D1", "E1");
        assertThat(apply("Q2", "C0", "E2", "", 5_000).written())
                .extracting(Checkpoint::getId)
                .containsExactly("D2", "D3", "C1", "E2");
    }

    @Test
    void neitherTheYoungNorMoreChildrenThanCanBeDetachedAreLookedThrough() {
        apply("P", "C0", "C1", "+A=" + LARGE, 0);
        for (int i = 0; i < 350; i++) {
            apply("S" + i, "C1", "D" + i, "", 0);
        }
        for (int i = 0; i < 150; i++) {
            apply("T" + i, "D" + i, "E" + i, "", 900);
        }
        int shown = index.shown;
        apply("R", "C0", "C2", "", 1_100);
        // C1 and the first of the young; the children that fit, and one that shows that there are more.
        assertThat(index.shown - shown).isEqualTo(2 + CheckpointPruner.MAX_SNAPSHOTS + 1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void everyCheckpointExceptStubsIsRebuiltUnchanged(long seed) {
        Random random = new Random(Long.getLong("parley.seed", seed));
        Map<String, Map<String, String>> states = new HashMap<>(Map.of("C0", Map.of()));
        Map<String, Long> superseded = new HashMap<>();
        List<String> made = new ArrayList<>(List.of("C0"));
        long now = 0;
        for (int i = 1; i <= 400; i++) {
            now += random.nextInt(40);
            String base = made.get(made.size() - 1 - Math.min(made.size() - 1, random.nextInt(random.nextInt(20) + 1)));
            Map<String, String> state = new TreeMap<>(states.get(base));
            StringBuilder operations = new StringBuilder();
            if (base.equals("C0")) {
                state.put("LARGE", LARGE);
                operations.append(" +LARGE=").append(LARGE);
            }
            for (int k = random.nextInt(4); k >= 0; k--) {
                String name = "N" + k + random.nextInt(6);
                String value = Integer.toString(random.nextInt());
                operations
                        .append(state.put(name, value) == null ? " +" : " ~")
                        .append(name)
                        .append('=')
                        .append(value);
            }
            String target = "C" + i;
            if (!(outcome("P" + i, base, target, operations.toString(), now) instanceof Applied applied)) {
                assertThat(node(base).getPrunedAt())
                        .as("parley.seed=%d %s", seed, base)
                        .isNotNull();
                continue;
            }
            for (Checkpoint written : applied.written()) {
                assertThat(written).isEqualTo(node(written.getId()));
            }
            superseded.putIfAbsent(base, now);
            states.put(target, state);
            made.add(target);
            if (random.nextInt(50) == 0) {
                checkpoints = open();
            }
        }
        CheckpointReader fresh = reader();
        int stubs = 0;
        for (String id : made.subList(1, made.size())) {
            String about = "parley.seed=" + seed + " " + id;
            if (node(id).getPrunedAt() == null) {
                assertThat(fresh.state(key(id))).as(about).contains(new TreeMap<>(states.get(id)));
                assertThat(superseded.getOrDefault(id, now))
                        .as(about)
                        .isGreaterThanOrEqualTo(now - KEPT - KEPT / 10 - 40);
            } else {
                stubs++;
                assertThat(superseded.get(id)).as(about).isLessThanOrEqualTo(now - KEPT);
            }
        }
        assertThat(stubs).as("parley.seed=%d", seed).isPositive();
    }

    @Test
    void aChildWhoseEntryIsMissingIsUnreadableAfterThePruningOfItsBase() {
        apply("P1", "C0", "C1", "+A=" + LARGE, 0);
        apply("P2", "C1", "C2", "+B=2", 0);
        apply("P3", "C1", "C3", "+C=3", 0);
        index.delete("fork|" + key("C1") + "|C3");
        apply("P4", "C2", "C4", "+D=4", 5_000);
        assertThat(node("C1").getPrunedAt()).isNotNull();
        checkpoints = open();

        assertThatThrownBy(() -> outcome("P5", "C3", "C5", "+E=5", 5_000))
                .isInstanceOf(UnreadableValueException.class)
                .hasMessage("checkpoint C1 was pruned, but C3 needs it");
        assertThatThrownBy(() -> reader().state(key("C3"))).isInstanceOf(UnreadableValueException.class);
        assertThat(reader().state(key("C4")).orElseThrow()).isEqualTo(Map.of("A", LARGE, "B", "2", "D", "4"));
    }

    @Test
    void inventedEntriesStopNeitherAPatchNorThePruning() {
        apply("P1", "C0", "C1", "+A=" + LARGE, 0);
        apply("P2", "C1", "C2", "+B=2", 10);
        index.put("fork|" + key("C1") + "|C9", "C9");
        index.put("old|default|ctx|0000000000000000000|C8", "C9");

        Applied first = apply("P3", "C2", "C3", "+C=3", 5_000);
        Applied second = apply("P4", "C3", "C4", "+D=4", 5_000);

        assertThat(first.written()).extracting(Checkpoint::getId).containsExactly("C2", "C3");
        assertThat(second.written())
                .extracting(Checkpoint::getId)
                .contains("C1")
                .endsWith("C4");
        assertThat(stubs()).contains("C1");
        assertThat(reader().state(key("C4")).orElseThrow()).containsKeys("A", "B", "C", "D");
    }

    private void prunedC1() {
        apply("P1", "C0", "C1", "+A=1", 0);
        apply("P2", "C1", "C2", "+B=2", 0);
        apply("P3", "C2", "C3", "+C=3", 2_000);
    }

    private Checkpoints open() {
        return new Checkpoints(
                nodes,
                index,
                lot,
                TestCheckpointSettings.of(Branching.WARN, 100, KEPT, 8L << 20, 1 << 20, KEPT),
                () -> TODAY);
    }

    private CheckpointReader reader() {
        return new CheckpointReader(
                nodes::get, TestCheckpointSettings.of(Branching.WARN, 100, KEPT, 8L << 20, 1 << 20, KEPT));
    }

    private Applied apply(String id, String base, String target, String operations, long now) {
        return (Applied) outcome(id, base, target, operations, now);
    }

    private PatchOutcome outcome(String id, String base, String target, String operations, long now) {
        AgentMessage message = patch(id, base, target, operations).build();
        return checkpoints.apply(
                message, now, () -> new Inbound(message.getSource(), null, message.getRaw(), List.of(), null, null));
    }

    private List<String> stubs() {
        List<String> stubs = new ArrayList<>();
        nodes.scan("", (key, node) -> {
            if (node.getPrunedAt() != null) {
                stubs.add(node.getId());
            }
            return true;
        });
        return stubs;
    }

    private Checkpoint node(String id) {
        Optional<Checkpoint> node = nodes.get(key(id).toString());
        return node.orElseThrow();
    }

    private static CheckpointKey key(String id) {
        return new CheckpointKey("default", "ctx", id);
    }
}
