package dev.parley.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.Checkpoint;
import dev.parley.avro.Inbound;
import dev.parley.checkpoint.CheckpointSettings.Branching;
import dev.parley.testing.CspDraft;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CheckpointReaderTest {
    private final CountingStore<Checkpoint> nodes = new CountingStore<>();
    private final Checkpoints checkpoints =
            new Checkpoints(nodes, new CountingStore<>(), new CountingStore<>(), CheckpointSettings.DEFAULT);
    private CheckpointReader reader = new CheckpointReader(nodes::get, 1 << 20);

    @Test
    void theRootExistsInEveryContextAndDefinesNothing() {
        assertThat(reader.exists(key("C0"))).isTrue();
        assertThat(reader.exists(new CheckpointKey("any", "where", "C0"))).isTrue();
        assertThat(reader.state(key("C0"))).contains(new TreeMap<>());
        assertThat(reader.names(key("C0")).test("A")).isFalse();
        assertThat(nodes.reads).isZero();
    }

    @Test
    void aCheckpointExistsOnceItIsMade() {
        assertThat(reader.exists(key("C1"))).isFalse();
        apply("C0", "C1", "+A=1");
        assertThat(reader.exists(key("C1"))).isTrue();
        assertThat(reader.names(key("C1")).test("A")).isTrue();
        assertThat(reader.names(key("C1")).test("B")).isFalse();
    }

    @Test
    void aStateIsReadOnce() {
        apply("C0", "C1", "+A=1");
        assertThat(reader.value(key("C1"), "A")).contains("1");
        int reads = nodes.reads;
        assertThat(reader.value(key("C1"), "A")).contains("1");
        assertThat(reader.exists(key("C1"))).isTrue();
        assertThat(nodes.reads).isEqualTo(reads);
    }

    @Test
    void aRebuildReadsNoFurtherThanTheNearestSnapshot() {
        apply("C0", "C1", "+A=" + "a".repeat(200));
        int last = 1;
        while (nodes.get(key("C20").toString()).isEmpty()) {
            apply("C" + last, "C" + (last + 1), "~A=" + "b".repeat(100 + last));
            last++;
        }
        for (int i = 1; i <= last; i++) {
            CheckpointReader fresh = new CheckpointReader(nodes::get, 1 << 20);
            int toSnapshot = 1;
            Checkpoint node = nodes.get(key("C" + i).toString()).orElseThrow();
            while (node.getSnapshot() == null && !node.getParent().equals("C0")) {
                node = nodes.get(key(node.getParent()).toString()).orElseThrow();
                toSnapshot++;
            }
            int reads = nodes.reads;
            assertThat(fresh.value(key("C" + i), "A")).contains(i == 1 ? "a".repeat(200) : "b".repeat(99 + i));
            assertThat(nodes.reads - reads).as("C" + i).isEqualTo(toSnapshot);
        }
    }

    @Test
    void aSnapshotMayBeAnyMap() {
        apply("C0", "C1", "+A=1 +B=2");
        Checkpoint node = nodes.get(key("C1").toString()).orElseThrow();
        assertThat(node.getSnapshot()).isNotNull();
        node.setSnapshot(new TreeMap<>(node.getSnapshot()));
        assertThat(reader.state(key("C1"))).contains(new TreeMap<>(Map.of("A", "1", "B", "2")));
    }

    @Test
    void aWalkStopsAfterTenThousandCheckpointsAndSaysWhereToContinue() {
        CheckpointReader endless = new CheckpointReader(text -> Optional.of(successor(CheckpointKey.parse(text))), 0);
        List<String> changes = new ArrayList<>();
        CheckpointReader.Walk walk = endless.walk(key("C10001"), "A", 9, node -> changes.add(node.getId()));
        assertThat(walk).isEqualTo(new CheckpointReader.Walk(Optional.of("C1"), Optional.empty()));
        assertThat(changes).isEmpty();
        assertThat(endless.walk(key("C10000"), "A", 9, node -> changes.add(node.getId())))
                .isEqualTo(new CheckpointReader.Walk(Optional.empty(), Optional.empty()));
    }

    /** The checkpoint whose parent has the preceding number, made by a patch without operations. */
    private static Checkpoint successor(CheckpointKey key) {
        Checkpoint node = new Checkpoint();
        node.setId(key.id());
        node.setParent("C" + (Integer.parseInt(key.id().substring(1)) - 1));
        node.setOperations(List.of());
        return node;
    }

    @Test
    void aWalkEndsBeforeTheChangeThatItsVisitorRefuses() {
        apply("C0", "C1", "+A=1");
        apply("C1", "C2", "+B=1");
        apply("C2", "C3", "~A=2");
        List<String> changes = new ArrayList<>();
        CheckpointReader.Walk walk =
                reader.walk(key("C3"), "A", 9, node -> node.getId().equals("C3") && changes.add(node.getId()));
        assertThat(walk.next()).contains("C1");
        assertThat(walk.pruned()).isEmpty();
        assertThat(changes).containsExactly("C3");
    }

    @Test
    void withARetentionACachedStateCostsOneRead() {
        CheckpointReader pruning = pruning();
        apply("C0", "C1", "+A=" + "a".repeat(200));
        apply("C1", "C2", "~A=" + "b".repeat(100));
        apply("C2", "C3", "+B=1");
        assertThat(node("C3").getSnapshot()).isNull();
        assertThat(pruning.value(key("C3"), "B")).contains("1");
        int reads = nodes.reads;
        assertThat(pruning.value(key("C3"), "B")).contains("1");
        assertThat(nodes.reads - reads).isEqualTo(1);
    }

    @Test
    void withARetentionACheckpointThatARebuildDoesNotFindNoLongerExists() {
        CheckpointReader pruning = pruning();
        apply("C0", "C1", "+A=1");
        assertThat(pruning.value(key("C1"), "A")).contains("1");
        nodes.delete(key("C1").toString());
        assertThat(pruning.value(key("C1"), "A")).isEmpty();
        assertThat(pruning.exists(key("C1"))).isFalse();
    }

    private CheckpointReader pruning() {
        return new CheckpointReader(nodes::get, TestCheckpointSettings.of(Branching.WARN, 1, 1, 1 << 20, 1 << 20, 1));
    }

    private Checkpoint node(String id) {
        return nodes.get(key(id).toString()).orElseThrow();
    }

    @Test
    void aStoreThatLacksAParentIsTold() {
        apply("C0", "C1", "+A=" + "a".repeat(200));
        apply("C1", "C2", "+B=1");
        nodes.delete(key("C1").toString());
        assertThatThrownBy(() -> reader.state(key("C2")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("default|ctx|C1");
    }

    @Test
    void aNewReaderDoesNotReturnStatesThatTheStoreLost() {
        apply("C0", "C1", "+A=1");
        assertThat(reader.value(key("C1"), "A")).contains("1");
        nodes.delete(key("C1").toString());
        reader = new CheckpointReader(nodes::get, 1 << 20);
        assertThat(reader.exists(key("C1"))).isFalse();
        assertThat(reader.state(key("C1"))).isEmpty();
    }

    private void apply(String base, String target, String operations) {
        assertThat(checkpoints.apply(
                        CspDraft.patch("P" + target, base, target, operations).build(), 0, Inbound::new))
                .isInstanceOf(PatchOutcome.Applied.class);
    }

    private static CheckpointKey key(String id) {
        return new CheckpointKey("default", "ctx", id);
    }
}
