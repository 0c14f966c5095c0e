package dev.parley.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.Checkpoint;
import dev.parley.avro.Inbound;
import dev.parley.avro.Source;
import dev.parley.testing.CspDraft;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Which checkpoint set each definition, beside and without snapshots that know it, and how one came about. */
class SettersTest {
    private final CountingStore<Checkpoint> nodes = new CountingStore<>();
    private final Checkpoints checkpoints =
            new Checkpoints(nodes, new CountingStore<>(), new CountingStore<>(), CheckpointSettings.DEFAULT);

    /** C1 {A, B}, C2 changes B, C3 removes A; F changes A beside them; the snapshots are at C1 and C3. */
    private void history() {
        apply("C0", "C1", "+A=1 +B=2");
        apply("C1", "C2", "~B=3");
        apply("C2", "C3", "-A");
        apply("C1", "F", "~A=9");
    }

    @Test
    void everyDefinitionNamesTheCheckpointThatSetIt() {
        history();

        assertThat(definitions("C0")).isEmpty();
        assertThat(definitions("C1")).containsExactly("A=1 by 1", "B=2 by 1");
        assertThat(definitions("C2")).containsExactly("A=1 by 1", "B=3 by 2");
        assertThat(definitions("C3")).containsExactly("B=3 by 2");
        assertThat(definitions("F")).containsExactly("A=9 by 4", "B=2 by 1");
        assertThat(fresh().definitions(key("C9"))).isEmpty();
    }

    @Test
    void aSnapshotKeepsTheSettersInTheOrderOfTheNames() {
        history();
        assertThat(node("C1").getSnapshot()).isEqualTo(new TreeMap<>(Map.of("A", "1", "B", "2")));
        assertThat(node("C1").getSetters()).containsExactly(1L, 1L);
        assertThat(node("C3").getSetters()).containsExactly(2L);

        apply("C3", "C4", "+b=1 +A=2 +Z=3 +Ä=4");
        assertThat(node("C4").getSnapshot().keySet()).containsExactly("A", "B", "Z", "b", "Ä");
        assertThat(node("C4").getSetters()).containsExactly(5L, 2L, 5L, 5L, 5L);
        assertThat(definitions("C4")).containsExactly("A=2 by 5", "B=3 by 2", "Z=3 by 5", "b=1 by 5", "Ä=4 by 5");
    }

    @Test
    void theSettersAreThoseOfTheNamesInWhateverOrderASnapshotIsRead() {
        history();
        apply("C3", "C4", "+b=1 +A=2 +Z=3 +Ä=4");
        Map<String, String> backwards = new LinkedHashMap<>();
        new TreeMap<>(node("C4").getSnapshot()).descendingMap().forEach(backwards::put);
        node("C4").setSnapshot(backwards);
        assertThat(definitions("C4")).containsExactly("A=2 by 5", "B=3 by 2", "Z=3 by 5", "b=1 by 5", "Ä=4 by 5");
    }

    @Test
    void withAllSettersInTheSnapshotNothingIsWalked() {
        history();
        nodes.reads = 0;
        assertThat(fresh().definitions(key("C3"))).isPresent();
        assertThat(nodes.reads).isEqualTo(1);
    }

    @Test
    void aSnapshotWithAnotherNumberOfSettersIsNotRead() {
        history();
        node("C1").setSetters(List.of(7L));
        assertThatThrownBy(() -> definitions("C1"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("checkpoint C1 has 1 setters for 2 definitions");
    }

    @Test
    void theHistoryOfADefinitionIsWhatChangedItOnTheWay() {
        history();

        assertThat(history("C3", "A", 9)).containsExactly("C3", "C1");
        assertThat(history("C3", "A", 1)).containsExactly("C3");
        assertThat(history("C3", "A", 0)).isEmpty();
        assertThat(history("F", "A", 9)).containsExactly("F", "C1");
        assertThat(history("C2", "A", 9)).containsExactly("C1");
        assertThat(history("C3", "Z", 9)).isEmpty();
        assertThat(history("C0", "A", 9)).isEmpty();
        assertThatThrownBy(() -> HistoryReader.of(fresh(), key("C9"), "A", 9))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aPatchThatWaitedNamesWhatSetItFree() {
        Source cause = new Source("wire", 3, 44L, Instant.EPOCH, null);
        assertThat(checkpoints.apply(CspDraft.patch("P1", "C0", "C1", "").build(), 0, Inbound::new))
                .isInstanceOf(PatchOutcome.Applied.class);
        assertThat(checkpoints.apply(CspDraft.patch("P2", "C1", "C2", "").build(), 0, Inbound::new, cause))
                .isInstanceOf(PatchOutcome.Applied.class);

        assertThat(node("C1").getReleasedBy()).isNull();
        assertThat(node("C2").getReleasedBy()).isEqualTo(cause);
        // A snapshot that is placed on it later does not lose it.
        apply("C2", "C3", "");
        assertThat(node("C2").getReleasedBy()).isEqualTo(cause);
    }

    private List<String> definitions(String id) {
        List<String> lines = new ArrayList<>();
        fresh().definitions(key(id))
                .orElseThrow()
                .forEach((name, definition) ->
                        lines.add(name + "=" + definition.value() + " by " + definition.setter()));
        return lines;
    }

    private List<String> history(String id, String name, int limit) {
        return HistoryReader.of(fresh(), key(id), name, limit).changes().stream()
                .map(Checkpoint::getId)
                .toList();
    }

    private CheckpointReader fresh() {
        return new CheckpointReader(nodes::get, 1 << 20);
    }

    private Checkpoint node(String id) {
        return nodes.get(key(id).toString()).orElseThrow();
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
