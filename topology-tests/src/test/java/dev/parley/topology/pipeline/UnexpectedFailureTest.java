package dev.parley.topology.pipeline;

import static dev.parley.topology.pipeline.DeadLetterAssert.assertThatLetter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.Checkpoint;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.state.KeyValueIterator;
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

    /** No record is to blame, and going on would lose what was parked: the transaction must not be committed. */
    @Test
    void failedPunctuationStopsTheThreadWithItsCause() {
        pipeline.send(InputRecord.patch("ctx", "P2", "C1", "C2", "+ DEF A = 1"));
        try (KeyValueIterator<String, ?> parked = pipeline.parkedStore().all()) {
            KeyValue<String, ?> entry = parked.next();
            assertThat(parked.hasNext()).isFalse();
            pipeline.parkedStore().delete(entry.key);
        }
        pipeline.later(Duration.ofHours(2));

        assertThatThrownBy(() -> pipeline.send(InputRecord.slipRequest(7, 1)))
                .isInstanceOf(StreamsException.class)
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .rootCause()
                .hasMessageContaining("the parking lot lacks");
        assertThat(pipeline.deadLetters()).isEmpty();
    }
}
