package dev.parley.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.audit.Links;
import dev.parley.audit.Redactions;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.checkpoint.CheckpointNode;
import dev.parley.stage.StageSettings;
import dev.parley.state.StateQueryException.Code;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads of a context: C1 at sequence 0, a task at 1, C2 at 2, a task at 3, C3 at 4. */
class CheckpointStatesTest {
    private static final int ALL = 1_000;

    private final RecordedConversation csp = task(task(new RecordedConversation(Protocol.CSP)
                            .patch("P1", "C0", "C1", "+ DEF A = 1", "+ DEF B = 2"))
                    .patch("P2", "C1", "C2", "~ DEF A := 3"))
            .patch("P3", "C2", "C3", "- DEF A", "~ DEF B := 4");

    private static RecordedConversation task(RecordedConversation context) {
        return context.send(
                "A",
                "CSP/1\nFROM A\nTO B\nCTX C1\nINTENT TASK\n\nTASK T" + (context.records.size() + 1) + "\nREQ look");
    }

    private static String asOf(StateSource source, RecordedConversation context, long sequence) {
        StatePoint point = new StateQueries(
                        source, StageSettings.DEFAULT::stateModel, record -> record, QueryBudget.UNLIMITED)
                .state(context.key, new PointInTime.AtSequence(sequence))
                .asOf();
        return ((CheckpointSummary) point).id();
    }

    // Histories

    @Test
    void aHistoryHasTheValueOfItsEntryAmongTheOperationsOfAPatch() {
        assertThat(csp.queries()
                        .history(csp.key, "B", new PointInTime.Latest(), Optional.empty(), ALL)
                        .items())
                .extracting(EntryChange::value)
                .containsExactly("4", "2");
        assertThat(csp.queries()
                        .history(csp.key, "A", new PointInTime.Latest(), Optional.empty(), ALL)
                        .items())
                .extracting(EntryChange::value)
                .containsExactly(null, "3", "1");
    }

    @Test
    void aHistoryAtACheckpointThatDoesNotExistNamesItAndNoCursor() {
        assertThatThrownBy(() ->
                        csp.queries().history(csp.key, "A", new PointInTime.AtCheckpoint("C9"), Optional.empty(), ALL))
                .isInstanceOfSatisfying(
                        StateQueryException.class,
                        refused -> assertThat(refused.code()).isEqualTo(Code.UNKNOWN_CHECKPOINT))
                .hasMessageContaining("C9");
    }

    // Sequences

    @ParameterizedTest
    @CsvSource({
        "4, C3, 0+5",
        "49, C3, 0+50",
        "50, C3, 1+50",
        "54, C3, 5+50 0+5",
        "104, C3, 55+50 5+50 0+5",
        "999, C3, 75+50 25+50 0+25",
    })
    void theLastPatchIsSoughtBackwardsInRangesOfFifty(long sequence, String checkpoint, String reads) {
        for (int i = 5; i < 125; i++) {
            task(csp);
        }
        ForwardingSource source = new ForwardingSource(csp.source());

        assertThat(asOf(source, csp, sequence)).isEqualTo(checkpoint);
        assertThat(String.join(" ", source.messageReads)).isEqualTo(reads);
    }

    @ParameterizedTest
    @CsvSource({"0, C1, 0+1", "1, C1, 0+2", "2, C2, 0+3 2+1", "3, C2, 0+4 2+2", "4, C3, 0+5 2+3 4+1"})
    void aRangeIsReadToItsEndThoughASliceIsShorter(long sequence, String checkpoint, String reads) {
        ForwardingSource source = new ForwardingSource(csp.source()) {
            @Override
            public List<AuditRecord> messages(String chain, long from, int limit) {
                List<AuditRecord> slice = super.messages(chain, from, limit);
                return slice.subList(0, Math.min(2, slice.size()));
            }
        };

        assertThat(asOf(source, csp, sequence)).isEqualTo(checkpoint);
        assertThat(String.join(" ", source.messageReads)).isEqualTo(reads);
    }

    @Test
    void theLastPatchIsSoughtAmongABoundedNumberOfMessages() {
        int bound = CheckpointStates.MAX_READS * 50;
        for (int i = 0; i < bound; i++) {
            task(csp);
        }
        ForwardingSource source = new ForwardingSource(csp.source());

        // C3 is at 4.
        assertThat(asOf(source, csp, bound + 3)).isEqualTo("C3");
        assertThatThrownBy(() -> asOf(new ForwardingSource(csp.source()), csp, bound + 4))
                .isInstanceOfSatisfying(
                        StateQueryException.class,
                        refused -> assertThat(refused.code()).isEqualTo(Code.TOO_FAR_BACK))
                .hasMessageContaining("/checkpoints");
        assertThat(source.messageReads).hasSize(CheckpointStates.MAX_READS);
    }

    /** Each page is read once, and all for a task, which has no checkpoint. */
    @ParameterizedTest
    @CsvSource({"0, C1, 1", "1, C1, 3", "2, C2, 3", "4, C3, 3"})
    void theCheckpointOfARedactedPatchIsSoughtPageByPage(long sequence, String checkpoint, int pages) {
        csp.records.replaceAll(record -> Redactions.redact(record, Links.redactionOf(record)));
        ForwardingSource source = new ForwardingSource(csp.source()) {
            @Override
            public Optional<String> checkpoints(
                    String namespace,
                    String context,
                    Optional<String> cursor,
                    int limit,
                    Predicate<CheckpointNode> page) {
                assertThat(limit).isEqualTo(1_000);
                return super.checkpoints(namespace, context, cursor, 1, page);
            }
        };

        assertThat(asOf(source, csp, sequence)).isEqualTo(checkpoint);
        assertThat(source.checkpointPages).hasSize(pages);
    }

    @Test
    void theCheckpointOfARedactedPatchIsSoughtAmongABoundedNumberOfCheckpoints() {
        csp.records.replaceAll(record -> Redactions.redact(record, Links.redactionOf(record)));
        ForwardingSource source = new ForwardingSource(csp.source()) {
            @Override
            public Optional<String> checkpoints(
                    String namespace,
                    String context,
                    Optional<String> cursor,
                    int limit,
                    Predicate<CheckpointNode> page) {
                super.checkpoints(namespace, context, Optional.empty(), limit, page);
                return Optional.of("more");
            }
        };

        assertThatThrownBy(() -> asOf(source, csp, 4))
                .isInstanceOfSatisfying(
                        StateQueryException.class,
                        refused -> assertThat(refused.code()).isEqualTo(Code.TOO_FAR_BACK));
        assertThat(source.checkpointPages).hasSize(CheckpointStates.MAX_CHECKPOINT_READS);
    }
}
