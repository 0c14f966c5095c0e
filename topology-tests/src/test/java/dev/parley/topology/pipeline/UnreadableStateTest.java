package dev.parley.topology.pipeline;

import static dev.parley.topology.pipeline.DeadLetterAssert.assertThatLetter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import dev.parley.topology.kafka.UnreadableValues;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values of stores that somebody else wrote stop the messages that need them, and nothing else. */
class UnreadableStateTest extends AbstractPipelineTest {
    private static final InputRecord ORPHAN = InputRecord.patch("ctx", "P2", "C1", "C2", "+ DEF A = 1");
    private static final InputRecord BASE = InputRecord.patch("ctx", "P1", "C0", "C1", "+ DEF B = 1");

    @BeforeEach
    void startPipeline() {
        start();
    }

    @Test
    void aConversationWithAnUnreadableStateStopsAlone() {
        pipeline.send(InputRecord.slipRequest(7, 1));
        String chain = pipeline.keys(PipelineStores.CONVERSATIONS).get(0);
        assertThat(chain).endsWith("|7");
        pipeline.damage(PipelineStores.CONVERSATIONS, chain);
        long reported = UnreadableValues.total();

        InputRecord next = InputRecord.slipRequest(7, 2);
        Source stopped = pipeline.send(next);
        Source other = pipeline.send(InputRecord.slipRequest(9, 1));

        assertThatLetter(pipeline.deadLetters(Stage.INTERNAL).get(0))
                .isTheRecord(next)
                .failedAt(Stage.INTERNAL, Code.STATE_UNREADABLE)
                .cameFrom(stopped)
                .isExplained();
        assertThat(pipeline.auditOf(other).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(UnreadableValues.total()).isGreaterThan(reported);
    }

    @Test
    void theSweepOfIdleConversationsPassesAnUnreadableOne() {
        for (int conversation = 1; conversation <= 3; conversation++) {
            pipeline.send(InputRecord.slipRequest(conversation, 1));
        }
        pipeline.damage(
                PipelineStores.CONVERSATIONS,
                pipeline.keys(PipelineStores.CONVERSATIONS).get(1));

        pipeline.later(Duration.ofDays(20));
        pipeline.send(InputRecord.slipRequest(4, 1));
        pipeline.waitFor(Duration.ofSeconds(5));

        assertThat(pipeline.deadLetters()).isEmpty();
        assertThat(pipeline.conversationStore()
                        .get(pipeline.keys(PipelineStores.CONVERSATIONS).get(2))
                        .getSlip())
                .isNull();
    }

    @Test
    void anUnreadableParkedPatchDelaysNoOther() {
        pipeline.send(ORPHAN);
        Source second = pipeline.send(InputRecord.patch("ctx", "P3", "C1", "C3", "+ DEF C = 1"));
        pipeline.damage(
                PipelineStores.PARKED, pipeline.keys(PipelineStores.PARKED).get(0));

        pipeline.send(BASE);

        assertThat(pipeline.auditOf(second).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(pipeline.keys(PipelineStores.PARKED)).isEmpty();
        assertThat(pipeline.deadLetters()).isEmpty();
    }

    @Test
    void anUnreadableParkedPatchExpires() {
        pipeline.send(ORPHAN);
        pipeline.damage(
                PipelineStores.PARKED, pipeline.keys(PipelineStores.PARKED).get(0));

        pipeline.later(Duration.ofHours(2));
        Source next = pipeline.send(InputRecord.slipRequest(7, 1));

        assertThat(pipeline.auditOf(next).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(pipeline.keys(PipelineStores.PARKED)).isEmpty();
        assertThat(pipeline.keys(PipelineStores.CHECKPOINT_INDEX)).isEmpty();
    }

    @Test
    void aParkedPatchWithAnUnreadableEntryExpires() {
        Source parked = pipeline.send(ORPHAN);
        pipeline.keys(PipelineStores.CHECKPOINT_INDEX).stream()
                .filter(key -> key.startsWith("due|"))
                .forEach(key -> pipeline.damage(PipelineStores.CHECKPOINT_INDEX, key));
        pipeline.damage(PipelineStores.CHECKPOINT_INDEX, "due|0|forged");
        pipeline.damage(PipelineStores.CHECKPOINT_INDEX, "due|0|default|0");
        pipeline.damage(PipelineStores.PARKED, "default|0");

        pipeline.later(Duration.ofHours(2));
        Source next = pipeline.send(InputRecord.slipRequest(7, 1));

        assertThat(pipeline.auditOf(parked).getCode()).isEqualTo(Code.CSP_UNKNOWN_BASE.name());
        assertThat(pipeline.auditOf(next).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(pipeline.keys(PipelineStores.PARKED)).isEmpty();
        assertThat(pipeline.keys(PipelineStores.CHECKPOINT_INDEX)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"parked|", "parked-in|", "parked-for|"})
    void unreadableCountsOfParkedPatchesAreCountedAgain(String kind) {
        Source parked = pipeline.send(ORPHAN);
        String key = pipeline.keys(PipelineStores.CHECKPOINT_INDEX).stream()
                .filter(each -> each.startsWith(kind))
                .findFirst()
                .orElseThrow();
        pipeline.damage(PipelineStores.CHECKPOINT_INDEX, key);

        pipeline.send(BASE);

        assertThat(pipeline.auditOf(parked).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(pipeline.keys(PipelineStores.CHECKPOINT_INDEX)).noneMatch(each -> each.startsWith("parked"));
    }

    @Test
    void aParkedPatchOfAnUnreadableConversationIsADeadLetterOfItsOwn() {
        pipeline.send(BASE);
        Source parked = pipeline.send(InputRecord.patch("ctx", "P9", "C8", "C9", "+ DEF A = 1"));
        pipeline.damage(
                PipelineStores.CONVERSATIONS,
                pipeline.keys(PipelineStores.CONVERSATIONS).get(0));

        pipeline.later(Duration.ofHours(2));
        Source other = pipeline.send(InputRecord.slipRequest(7, 1));

        assertThat(pipeline.deadLetters()).hasSize(1);
        assertThatLetter(pipeline.deadLetters(Stage.INTERNAL).get(0))
                .failedAt(Stage.INTERNAL, Code.STATE_UNREADABLE)
                .cameFrom(parked);
        assertThat(pipeline.auditOf(other).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
    }

    @Test
    void aLogThatCannotBeContinuedStopsTheThreadBeforeAnyMessageIsLost() {
        pipeline.damage(PipelineStores.LOG, "edge|0|0");

        assertThatThrownBy(() -> pipeline.send(InputRecord.slipRequest(7, 1)))
                .isInstanceOf(StreamsException.class)
                .rootCause()
                .hasMessageContaining("Log 0 cannot be continued: The value of store audit-log with the key edge|0|0");
        assertThat(pipeline.deadLetters()).isEmpty();
    }

    @Test
    void everyRecordIsJudgedWhateverTheCountsAre() {
        pipeline.send(InputRecord.slipRequest(7, 1));
        for (String store : List.of(PipelineStores.INPUTS, PipelineStores.OUTCOMES)) {
            pipeline.damage(store, pipeline.keys(store).get(0));
        }

        Source next = pipeline.send(InputRecord.slipRequest(8, 1));
        pipeline.waitFor(Duration.ofSeconds(5));

        assertThat(pipeline.auditOf(next).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(pipeline.deadLetters()).isEmpty();
    }
}
