package dev.parley.topology.pipeline;

import static dev.parley.topology.pipeline.DeadLetterAssert.assertThatLetter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.Checkpoint;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.checkpoint.UnreadableValueException;
import dev.parley.codec.Code;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.Test;

/** Unexpected failures, caused by damaged stores and failing listeners. */
class UnexpectedFailureTest extends AbstractPipelineTest {
    private static final Duration HEADS_INTERVAL = Duration.ofSeconds(10);

    @Test
    void recordWhoseStateLacksAValueIsAnInternalDeadLetterAndTheNextIsProcessed() {
        start();
        checkpointWithoutItsParent("ctx", "C2", "C1");
        InputRecord wire =
                InputRecord.patch("ctx", "P3", "C2", "C3", "+ DEF A = 1").header("x", "1");

        Source failed = pipeline.send(wire);
        Source sameConversation = pipeline.send(InputRecord.patch("ctx", "P4", "C0", "C4", "+ DEF A = 1"));
        Source another = pipeline.send(InputRecord.slipRequest(7, 1));

        assertThat(pipeline.deadLetters()).hasSize(1);
        assertThatLetter(pipeline.deadLetters(Stage.INTERNAL).get(0))
                .isTheRecord(wire)
                .failedAt(Stage.INTERNAL, Code.STATE_UNREADABLE)
                .cameFrom(failed)
                .isExplained()
                .has("__streams.errors.exception", UnreadableValueException.class.getName());
        assertThat(pipeline.auditOf(sameConversation).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(pipeline.auditOf(another).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
    }

    private void checkpointWithoutItsParent(String context, String id, String parent) {
        pipeline.checkpointStore()
                .put(
                        "default|" + context + "|" + id,
                        Checkpoint.newBuilder()
                                .setNamespace("default")
                                .setContext(context)
                                .setId(id)
                                .setParent(parent)
                                .setPatch("P2")
                                .setPatchHash(ByteBuffer.allocate(32))
                                .setOperations(List.of())
                                .setOrdinal(2)
                                .setDepth(2)
                                .setHash(ByteBuffer.allocate(32))
                                .setStateBytes(0)
                                .setDeltaBytes(0)
                                .build());
    }

    /** No record is to blame, and to continue would commit half of the work of the punctuation. */
    @Test
    void failedPunctuationStopsTheThread() {
        IllegalStateException failure = new IllegalStateException("the listener failed");
        AtomicBoolean failed = new AtomicBoolean();
        start(new PipelineListener() {
            @Override
            public void recorded(Protocol protocol, Verdict verdict, Stage stage, String code) {}

            @Override
            public void signing(int partition, boolean signs) {
                // The punctuation before the first head; the close of the task calls it again.
                if (!failed.getAndSet(true)) {
                    throw failure;
                }
            }
        });

        assertThatThrownBy(() -> pipeline.waitFor(HEADS_INTERVAL))
                .isInstanceOf(StreamsException.class)
                .hasRootCause(failure);
        assertThat(pipeline.heads()).isEmpty();
        assertThat(pipeline.deadLetters()).isEmpty();
    }

    @Test
    void punctuationWithoutTheStateItNeedsStopsTheThread() {
        start();
        pipeline.waitFor(HEADS_INTERVAL);
        pipeline.send(InputRecord.slipRequest(7, 1));
        int heads = pipeline.heads().size();
        pipeline.damage(PipelineStores.LOG, "edge|0|0");

        assertThatThrownBy(() -> pipeline.waitFor(HEADS_INTERVAL))
                .isInstanceOf(StreamsException.class)
                .hasCauseInstanceOf(UnreadableValueException.class);
        assertThat(pipeline.heads()).hasSize(heads);
        assertThat(pipeline.deadLetters()).isEmpty();
    }

    @Test
    void recordThatFailsInAPunctuationIsAnInternalDeadLetterAndThePunctuationContinues() {
        start((protocol, verdict, stage, code) -> {
            if (Code.CSP_UNKNOWN_BASE.name().equals(code)) {
                throw new IllegalStateException("the listener failed");
            }
        });
        InputRecord orphan = InputRecord.patch("ctx", "P2", "C1", "C2", "+ DEF A = 1");
        Source parked = pipeline.send(orphan);
        pipeline.later(Duration.ofHours(2));

        Source next = pipeline.send(InputRecord.slipRequest(7, 1));
        pipeline.waitFor(HEADS_INTERVAL);

        assertThat(pipeline.deadLetters()).hasSize(1);
        assertThatLetter(pipeline.deadLetters(Stage.INTERNAL).get(0))
                .isTheRecord(orphan)
                .failedAt(Stage.INTERNAL, Code.INTERNAL_ERROR)
                .cameFrom(parked)
                .isExplained();
        assertThat(pipeline.auditOf(next).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(pipeline.keys(PipelineStores.PARKED)).isEmpty();
    }
}
