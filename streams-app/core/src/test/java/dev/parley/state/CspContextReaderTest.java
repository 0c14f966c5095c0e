package dev.parley.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Checkpoint;
import dev.parley.avro.Protocol;
import dev.parley.stage.StageSettings;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Trees of a context with C1, and its children C2 and C3. */
class CspContextReaderTest {
    private static final int ALL = 1_000;

    private final RecordedConversation csp = new RecordedConversation(Protocol.CSP);

    @BeforeEach
    void patch() {
        csp.patch("P1", "C0", "C1", "+ DEF A = 1")
                .patch("P2", "C1", "C2", "~ DEF A := 2")
                .patch("P3", "C1", "C3", "- DEF A");
    }

    @Test
    void aContextWhoseMessagesArePrunedHasItsCheckpoints() {
        csp.records.clear();

        assertThat(ids(csp.queries().tree(csp.key, Optional.empty(), ALL))).isEqualTo("C0 C1 C2 C3");
    }

    @Test
    void aStoredRootIsUsedAndListedOnce() {
        Checkpoint root = new CspContextReader(csp.source(), csp.key).node("C0").checkpoint();
        root.setHash(ByteBuffer.wrap(new byte[] {1}));
        csp.checkpoints.put("C0", root);

        assertThat(new CspContextReader(csp.source(), csp.key).node("C0").checkpoint())
                .isSameAs(root);
        assertThat(ids(csp.queries().tree(csp.key, Optional.empty(), ALL))).isEqualTo("C0 C1 C2 C3");
    }

    @Test
    void aPageOfOneHasTheRootAloneAndReadsNoCheckpoints() {
        ForwardingSource source = new ForwardingSource(csp.source());
        StateQueries queries =
                new StateQueries(source, StageSettings.DEFAULT::stateModel, record -> record, QueryBudget.UNLIMITED);

        StateAnswer.Tree first = queries.tree(csp.key, Optional.empty(), 1);
        assertThat(ids(first)).isEqualTo("C0");
        assertThat(first.next()).isEqualTo("root");
        assertThat(source.checkpointPages).isEmpty();

        StateAnswer.Tree second = queries.tree(csp.key, Optional.of(first.next()), 1);
        assertThat(ids(second)).isEqualTo("C1");
        assertThat(source.checkpointPages).containsExactly(1);
        assertThat(ids(queries.tree(csp.key, Optional.empty(), 3))).isEqualTo("C0 C1 C2");
        assertThat(source.checkpointPages).containsExactly(1, 2);
    }

    @Test
    void aBranchHeadThatTheBudgetRefusesIsLeftOut() {
        QueryBudget roomForOneHead = new PageBudget((item, first) -> !item.equals("C3"));

        StateAnswer.Tree tree = new StateQueries(
                        csp.source(), StageSettings.DEFAULT::stateModel, record -> record, roomForOneHead)
                .tree(csp.key, Optional.empty(), ALL);
        assertThat(tree.heads()).containsExactly("C2");
        assertThat(ids(tree)).isEqualTo("C0 C1 C2 C3");
    }

    private static String ids(StateAnswer.Tree tree) {
        return String.join(" ", tree.items().stream().map(CheckpointSummary::id).toList());
    }
}
