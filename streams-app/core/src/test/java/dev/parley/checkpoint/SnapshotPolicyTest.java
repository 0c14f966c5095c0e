package dev.parley.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Checkpoint;
import dev.parley.avro.Inbound;
import dev.parley.checkpoint.PatchOutcome.Applied;
import dev.parley.testing.CspDraft;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Where snapshots are placed, by numbers: a patch weighs its names and values and 32 more; a run may weigh twice the
 * new state. In each test S is the state's bytes.
 */
class SnapshotPolicyTest {
    private final CountingStore<Checkpoint> nodes = new CountingStore<>();
    private final CountingStore<String> index = new CountingStore<>();
    private Checkpoints checkpoints = withoutMemory();

    @Test
    void aRunOfTwiceTheStateNeedsNone() {
        // S 32, weight 64.
        assertThat(apply("C0", "C1", "+A=" + "v".repeat(31))).containsExactly("C1 run 64");
        // S 31, weight 63.
        assertThat(apply("C0", "C2", "+A=" + "v".repeat(30))).containsExactly("C2 snapshot");
    }

    @Test
    void aPatchThatWeighsAsMuchAsItsOwnStateCarriesItItself() {
        assertThat(apply("C0", "C1", "+A=" + "a".repeat(40) + " +B=" + "b".repeat(31)))
                .containsExactly("C1 run 105");
        // S 73, weight 73, run 178.
        assertThat(apply("C1", "C2", "~A=" + "c".repeat(40))).containsExactly("C2 snapshot");
    }

    @Test
    void theFirstCheckpointWhoseDeltasOutweighItsStateCarriesIt() {
        assertThat(apply("C0", "C1", "+A=" + "a".repeat(200))).containsExactly("C1 run 233");
        for (int i = 1; i < 6; i++) {
            assertThat(apply("C" + i, "C" + (i + 1), "")).containsExactly("C" + (i + 1) + " run " + (233 + 32 * i));
        }
        // S 201, and the run would weigh 425.
        assertThat(apply("C6", "C7", "")).containsExactly("C1 snapshot", "C7 run 192");
        assertThat(states()).allMatch(state -> state.equals("a".repeat(200)));
    }

    @Test
    void deltasThatWeighAsMuchAsTheStateAreEnough() {
        assertThat(apply("C0", "C1", "+A=" + "a".repeat(223))).containsExactly("C1 run 256");
        chain(1, 7);
        assertThat(apply("C7", "C8", "")).containsExactly("C1 snapshot", "C8 run 224");
        chain(8, 15);
        // From C2 to C8 they weigh 224, which is S.
        assertThat(apply("C15", "C16", "")).containsExactly("C8 snapshot", "C16 run 256");
    }

    @Test
    void noMoreSnapshotsArePlacedThanTheRunNeeds() {
        assertThat(apply("C0", "C1", "+A=" + "a".repeat(60))).containsExactly("C1 run 93");
        assertThat(apply("C1", "C2", "+B=" + "b".repeat(194))).containsExactly("C2 run 320");
        chain(2, 8);
        // S 256. What is left after C1 weighs 512, though from C2 to C3 it weighs more than the state there.
        assertThat(apply("C8", "C9", "~A=" + "c".repeat(60))).containsExactly("C1 snapshot", "C9 run 512");
    }

    @Test
    void aStateThatShrinksUnderTheRunCarriesItItself() {
        assertThat(apply("C0", "C1", "+A=" + "a".repeat(899))).containsExactly("C1 run 932");
        assertThat(apply("C1", "C2", "~A=" + "b".repeat(899))).containsExactly("C2 snapshot");
        assertThat(apply("C2", "C3", "+B=" + "c".repeat(99))).containsExactly("C3 run 132");
        assertThat(apply("C3", "C4", "~B=" + "d".repeat(99))).containsExactly("C4 run 264");
        // S 100. From C3 to C5 the run would weigh 297, but the states of C3 and C4 weigh 1,000.
        assertThat(apply("C4", "C5", "-A")).containsExactly("C5 snapshot");
        assertThat(apply("C5", "C6", "")).containsExactly("C6 run 32");
    }

    @Test
    void theNextPatchesOnThatBaseKnowTheShorterRun() {
        noMoreSnapshotsArePlacedThanTheRunNeeds();
        int reads = nodes.reads;
        // From C2 to C8 the run weighs 419.
        assertThat(apply("C8", "C10", "~A=" + "d".repeat(60))).containsExactly("C10 run 512");
        assertThat(nodes.reads).isEqualTo(reads);
    }

    @Test
    void theStateOfTheSnapshotIsInMemory() {
        assertThat(apply("C0", "C1", "+A=" + "a".repeat(200))).containsExactly("C1 run 233");
        chain(1, 6);
        int reads = nodes.reads;
        assertThat(apply("C6", "C7", "")).containsExactly("C1 snapshot", "C7 run 192");
        assertThat(nodes.reads).isEqualTo(reads + 1);
    }

    @Test
    void manySmallPatchesOfALargeStateAreNotAllReadAgain() {
        apply("C0", "C1", "+A=" + "a".repeat(300_000));
        for (int i = 1; i < 9_000; i++) {
            apply("C" + i, "C" + (i + 1), "");
        }
        checkpoints = withoutMemory();
        int reads = nodes.reads;
        apply("C9000", "C9001", "");
        assertThat(nodes.reads - reads).isLessThanOrEqualTo(SnapshotPolicy.MAX_DELTAS + 1);
    }

    @Test
    void childrenThatShrinkALargeStateDoNotAllCarryIt() {
        long received = 0;
        for (int i = 0; i < 8; i++) {
            apply("C" + i, "C" + (i + 1), "+A" + i + "=" + "a".repeat(1_000));
            received += 1_034;
        }
        long snapshots = 0;
        for (int i = 0; i < 50; i++) {
            // S 2,004, and the run weighs 7,282 after C1.
            for (Checkpoint node : written("C8", "D" + i, "-A2 -A3 -A4 -A5 -A6 -A7")) {
                snapshots += node.getSnapshot() == null ? 0 : node.getStateBytes();
            }
            received += 44;
        }
        assertThat(snapshots).isBetween(2_004L, received);
        checkpoints = withoutMemory();
        for (int i = 0; i < 50; i++) {
            assertThat(checkpoints
                            .reader()
                            .state(new CheckpointKey("default", "ctx", "D" + i))
                            .orElseThrow())
                    .containsOnlyKeys("A0", "A1");
        }
    }

    @Test
    void everySnapshotIsTheStateOfItsCheckpointWhateverIsInMemory() {
        Map<String, String> state = new TreeMap<>();
        Map<String, Map<String, String>> states = new HashMap<>();
        int snapshots = 0;
        for (int i = 0; i < 200; i++) {
            String name = "N" + i % 23;
            String value = Integer.toString(i).repeat(20);
            String operation = (state.containsKey(name) ? "~" : "+") + name + "=" + value;
            state.put(name, value);
            states.put("C" + (i + 1), new TreeMap<>(state));
            if (i % 3 == 0) {
                checkpoints = withoutMemory();
            }
            for (Checkpoint written : written("C" + i, "C" + (i + 1), operation)) {
                if (written.getSnapshot() != null) {
                    assertThat(written.getSnapshot()).as(written.getId()).isEqualTo(states.get(written.getId()));
                    snapshots++;
                }
            }
        }
        assertThat(snapshots).isBetween(10, 100);
        checkpoints = withoutMemory();
        states.forEach((id, expected) -> assertThat(checkpoints
                        .reader()
                        .state(new CheckpointKey("default", "ctx", id))
                        .orElseThrow())
                .as(id)
                .isEqualTo(expected));
    }

    /** Empty patches from one checkpoint to the other; none calls for a snapshot. */
    private void chain(int from, int to) {
        for (int i = from; i < to; i++) {
            assertThat(apply("C" + i, "C" + (i + 1), "")).hasSize(1).allMatch(text -> text.contains(" run "));
        }
    }

    private Checkpoints withoutMemory() {
        return new Checkpoints(nodes, index, new CountingStore<>(), CheckpointSettings.DEFAULT);
    }

    private List<String> states() {
        checkpoints = withoutMemory();
        return IntStream.rangeClosed(1, 7)
                .mapToObj(i -> checkpoints.reader().value(new CheckpointKey("default", "ctx", "C" + i), "A"))
                .map(value -> value.orElse(""))
                .toList();
    }

    private List<String> apply(String base, String target, String operations) {
        return written(base, target, operations).stream()
                .map(node -> node.getId() + (node.getSnapshot() == null ? " run " + node.getDeltaBytes() : " snapshot"))
                .toList();
    }

    private List<Checkpoint> written(String base, String target, String operations) {
        PatchOutcome outcome = checkpoints.apply(
                CspDraft.patch("P" + target, base, target, operations).build(), 0, Inbound::new);
        return ((Applied) outcome).written();
    }
}
