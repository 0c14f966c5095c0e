package dev.parley.topology.pipeline;

import static dev.parley.topology.pipeline.DeadLetterAssert.assertThatLetter;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.config.RetentionKeys;
import dev.parley.topology.topics.KafkaHeaders;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

/** The way of a CSP patch: applied, parked, released, given up. */
class PatchLifecycleTest extends AbstractPipelineTest {

    @Test
    void appliedPatchIsACheckpointAndAConflictingOneADeadLetter() {
        start();
        InputRecord conflict =
                InputRecord.patch("ctx", "P3", "C1", "C2", "+ DEF A = other").header("x", "1");

        Source first = pipeline.send(InputRecord.patch("ctx", "P1", "C0", "C1", "+ DEF A = 1", "+ DEF B = 2"));
        pipeline.send(InputRecord.patch("ctx", "P2", "C1", "C2", "~ DEF A := 3", "- DEF B"));
        Source conflicting = pipeline.send(conflict);

        assertThat(pipeline.checkpoints())
                .extracting(TestRecord::key)
                .containsExactly("default|ctx|C1", "default|ctx|C2");
        Checkpoint one = pipeline.checkpoints().get(0).value();
        assertThat(one.getParent()).isEqualTo("C0");
        assertThat(one.getPatch()).isEqualTo("P1");
        assertThat(one.getSource()).isEqualTo(first);
        assertThat(one.getDepth()).isEqualTo(1);
        assertThat(pipeline.checkpoints().get(1).value().getParent()).isEqualTo("C1");
        assertThat(pipeline.deadLetters()).hasSize(1);
        assertThatLetter(pipeline.deadLetters(Stage.APPLY).get(0))
                .isTheRecord(conflict)
                .failedAt(Stage.APPLY, Code.CSP_CHECKPOINT_CONFLICT)
                .cameFrom(conflicting)
                .isExplained()
                .has("parley.error.protocol", "CSP")
                .has("parley.error.conversation", "ctx");
        assertThat(pipeline.auditOf(conflicting).getStage()).isEqualTo(Stage.APPLY.name());
    }

    @Test
    void supersededCheckpointIsPrunedInItsTopicAfterItsRetention() {
        start(Map.of(RetentionKeys.CHECKPOINTS, Duration.ofHours(1).toMillis()));
        String large = "x".repeat(1_000);

        pipeline.send(InputRecord.patch("ctx", "P1", "C0", "C1", "+ DEF A = " + large));
        pipeline.send(InputRecord.patch("ctx", "P2", "C1", "C2", "+ DEF B = 2"));
        pipeline.later(Duration.ofHours(2));
        Source last = pipeline.send(InputRecord.patch("ctx", "P3", "C2", "C3", "+ DEF C = 3"));
        Source late = pipeline.send(InputRecord.patch("ctx", "P9", "C1", "C9", "+ DEF D = 4"));

        assertThat(pipeline.checkpoints())
                .extracting(TestRecord::key)
                .containsExactly(
                        "default|ctx|C1", "default|ctx|C2", "default|ctx|C2", "default|ctx|C1", "default|ctx|C3");
        String id = last.getTopic() + "-" + last.getPartition() + "-" + last.getOffset();
        assertThat(pipeline.checkpoints())
                .extracting(record -> KafkaHeaders.text(record.headers(), "ce_id"))
                .as("unique in their source, the new one like its audit record")
                .doesNotHaveDuplicates()
                .endsWith(id + "/2", id + "/1", id);
        assertThat(pipeline.checkpoints().get(2).value().getSnapshot()).isEqualTo(Map.of("A", large, "B", "2"));
        Checkpoint stub = pipeline.checkpoints().get(3).value();
        assertThat(stub.getPrunedAt()).isEqualTo(last.getTimestamp());
        assertThat(stub.getOperations()).isEmpty();
        assertThat(pipeline.auditOf(last).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(pipeline.auditOf(late).getCode()).isEqualTo(Code.CSP_UNKNOWN_BASE.name());
        assertThat(pipeline.deadLetters(Stage.APPLY)).hasSize(1);
    }

    @Test
    void parkedPatchIsAuditedOnceWhenItsBaseArrives() {
        start();

        String parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

        Source third = pipeline.send(
                InputRecord.patch("ctx", "P3", "C2", "C3", "~ DEF A := 3").header("traceparent", parent));
        Source second = pipeline.send(InputRecord.patch("ctx", "P2", "C1", "C2", "~ DEF A := 2"));
        Source between =
                pipeline.send(InputRecord.text("CSP/1\nFROM MAIN\nTO CODER\nCTX C0\nINTENT QUERY\n\nQUERY Q1\nABOUT x")
                        .key("ctx"));
        assertThat(pipeline.audit()).extracting(AuditRecord::getSource).containsExactly(between);
        assertThat(pipeline.checkpoints()).isEmpty();

        Source base = pipeline.send(InputRecord.patch("ctx", "P1", "C0", "C1", "+ DEF A = 1"));

        assertThat(pipeline.audit()).extracting(AuditRecord::getSource).containsExactly(between, base, second, third);
        assertThat(pipeline.audit()).extracting(AuditRecord::getVerdict).containsOnly(Verdict.ACCEPTED.name());
        assertThat(pipeline.checkpoints())
                .extracting(TestRecord::key)
                .containsExactly("default|ctx|C1", "default|ctx|C2", "default|ctx|C3");
        // The headers are those of its own record; the output is dated when the patch was released.
        TestRecord<String, AuditRecord> released = pipeline.auditRecords().get(3);
        assertThat(texts(released.headers())).containsEntry("traceparent", parent);
        assertThat(released.value().getSource().getTimestamp()).isEqualTo(third.getTimestamp());
        assertThat(released.getRecordTime()).isEqualTo(base.getTimestamp());
        assertThat(pipeline.deadLetters()).isEmpty();
    }

    @Test
    void patchThatConflictsAtItsReleaseIsADeadLetterWithItsOwnBytes() {
        start();
        InputRecord waiting =
                InputRecord.patch("ctx", "P2", "C1", "C2", "+ DEF A = again").header("x", "1");

        Source parked = pipeline.send(waiting);
        pipeline.send(InputRecord.patch("ctx", "P1", "C0", "C1", "+ DEF A = 1"));

        assertThatLetter(pipeline.deadLetters(Stage.APPLY).get(0))
                .isTheRecord(waiting)
                .failedAt(Stage.APPLY, Code.CSP_ADD_EXISTS)
                .cameFrom(parked);
        assertThat(pipeline.auditOf(parked).getVerdict()).isEqualTo(Verdict.REJECTED.name());
    }

    @Test
    void expiredPatchIsADeadLetterWithItsOwnBytesAndHeaders() {
        start(Map.of(ParleyConfig.PARKING_MS, 600_000L));
        InputRecord waiting = InputRecord.patch("ctx", "P2", "C1", "C2", "+ DEF A = 1")
                .header("x", "1")
                .header("x", new byte[] {(byte) 0xff})
                .header("none", (byte[]) null);

        Source parked = pipeline.send(waiting);
        pipeline.later(Duration.ofMinutes(9));
        pipeline.send(InputRecord.slipRequest(7, 1));
        assertThat(pipeline.deadLetters()).isEmpty();
        pipeline.later(Duration.ofMinutes(2));
        Source last = pipeline.send(InputRecord.slipRequest(8, 1));

        assertThat(pipeline.deadLetters()).hasSize(1);
        assertThatLetter(pipeline.deadLetters(Stage.APPLY).get(0))
                .isTheRecord(waiting)
                .failedAt(Stage.APPLY, Code.CSP_UNKNOWN_BASE)
                .cameFrom(parked)
                .isExplained()
                .has("parley.error.conversation", "ctx");
        AuditRecord audit = pipeline.auditOf(parked);
        assertThat(audit.getVerdict()).isEqualTo(Verdict.REJECTED.name());
        assertThat(audit.getCode()).isEqualTo("CSP_UNKNOWN_BASE");
        assertThat(pipeline.auditRecords())
                .filteredOn(record -> record.value().equals(audit))
                .singleElement()
                .satisfies(record -> assertThat(record.getRecordTime()).isEqualTo(last.getTimestamp()));
    }

    @Test
    void expiredPatchNamesASimilarCheckpoint() {
        start(Map.of(ParleyConfig.PARKING_MS, 600_000L));
        pipeline.send(InputRecord.patch("ctx", "P1", "C0", "C1;", "+ DEF A = 1"));
        pipeline.send(InputRecord.patch("ctx", "P2", "C1", "C2", "+ DEF B = 1"));
        pipeline.later(Duration.ofMinutes(11));
        pipeline.send(InputRecord.slipRequest(7, 1));

        byte[] message = pipeline.deadLetters(Stage.APPLY)
                .get(0)
                .headers()
                .lastHeader("__streams.errors.message")
                .value();
        assertThat(new String(message, UTF_8)).contains("base C1 did not arrive in time; the similar 'C1;' exists");
    }

    @Test
    void releasedPatchSupersedesItsBaseAtItsRelease() {
        start(Map.of(RetentionKeys.CHECKPOINTS, 60_000L));
        pipeline.send(InputRecord.patch("ctx", "P2", "C1", "C2", "+ DEF B = 1"));
        pipeline.later(Duration.ofMinutes(30));
        pipeline.send(InputRecord.patch("ctx", "P1", "C0", "C1", "+ DEF A = 1"));
        pipeline.send(InputRecord.patch("ctx", "P3", "C2", "C3", "+ DEF C = 1"));

        assertThat(pipeline.checkpointStore().get("default|ctx|C3")).isNotNull();
        assertThat(pipeline.checkpointStore().get("default|ctx|C1").getPrunedAt())
                .as("C1 has been superseded for a second")
                .isNull();
    }

    @Test
    void parkedPatchesBeyondTheLimitAreDeadLettersAtOnce() {
        start(Map.of(ParleyConfig.PARKING_MAX, 1));

        pipeline.send(InputRecord.patch("ctx", "P2", "C1", "C2", "+ DEF A = 1"));
        Source second = pipeline.send(InputRecord.patch("ctx", "P3", "C1", "C3", "+ DEF A = 1"));

        assertThat(pipeline.audit()).extracting(AuditRecord::getSource).containsExactly(second);
        assertThatLetter(pipeline.deadLetters(Stage.APPLY).get(0)).failedAt(Stage.APPLY, Code.CSP_UNKNOWN_BASE);
    }
}
