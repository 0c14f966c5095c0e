package dev.parley.topology.pipeline;

import static dev.parley.topology.pipeline.DeadLetterAssert.assertThatLetter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Checkpoint;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.streams.errors.ProcessingExceptionHandler;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Unexpected failures, caused by damaged stores. */
class UnexpectedFailureTest extends AbstractPipelineTest {

    @BeforeEach
    void startPipeline() {
        start();
    }

    @Test
    void recordThatFailsUnexpectedlyIsAnInternalDeadLetterAndTheNextIsProcessed() {
        checkpointWithoutItsParent("ctx", "C2", "C1");
        InputRecord wire =
                InputRecord.patch("ctx", "P3", "C2", "C3", "+ DEF A = 1").header("x", "1");

        Source failed = pipeline.send(wire);
        Source sameConversation = pipeline.send(InputRecord.patch("ctx", "P4", "C0", "C4", "+ DEF A = 1"));
        Source another = pipeline.send(InputRecord.slipRequest(7, 1));

        assertThat(pipeline.deadLetters()).hasSize(1);
        assertThatLetter(pipeline.deadLetters(Stage.INTERNAL).get(0))
                .isTheRecord(wire)
                .failedAt(Stage.INTERNAL, Code.INTERNAL_ERROR)
                .cameFrom(failed)
                .isExplained()
                .has("__streams.errors.exception", IllegalStateException.class.getName());
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
        Record<?, ?> none = null;

        assertThat(new DeadLetterExceptionHandler().handleError(null, none, new IllegalStateException()))
                .returns(ProcessingExceptionHandler.Result.FAIL, ProcessingExceptionHandler.Response::result);
    }
}
