package dev.parley.topology.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.DialogueState;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.config.RetentionKeys;
import dev.parley.topology.views.ViewRetention;
import dev.parley.topology.views.ViewsDriver;
import dev.parley.topology.views.ViewsListener;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records whose times agents chose, on topics that let them: the bounds behind the brokers' time. */
class InputTimeTest {
    private static final Instant EARLY = Instant.ofEpochMilli(1_000);

    private final Instant begun = Instant.now().truncatedTo(ChronoUnit.MILLIS);

    @TempDir
    private Path directory;

    private PipelineDriver pipeline;

    private void start(Map<String, ?> changes) {
        pipeline = PipelineDriver.withProducerTimes(directory, changes);
    }

    @AfterEach
    void close() {
        pipeline.close();
    }

    private Instant ahead() {
        return Instant.now().plus(Duration.ofMinutes(55));
    }

    @Test
    void recordTimeIsBetweenPartitionTimeAndThePresent() {
        start(Map.of());
        pipeline.send(InputRecord.slipRequest(1, 1).at(EARLY));
        pipeline.send(InputRecord.slipRequest(2, 1).at(ahead()));
        pipeline.send(InputRecord.slipRequest(3, 1).at(EARLY));
        pipeline.send(InputRecord.text("?").at(EARLY));

        List<Instant> times = pipeline.audit().stream()
                .map(record -> record.getSource().getTimestamp())
                .toList();
        assertThat(times)
                .hasSize(4)
                .isSorted()
                .allSatisfy(time -> assertThat(time).isBetween(begun, Instant.now()));
    }

    @Test
    void noOutputHasATimestampThatExpiresAtOnce() {
        start(Map.of());
        pipeline.send(InputRecord.slipRequest(1, 1).at(EARLY));
        pipeline.send(InputRecord.text("?").at(EARLY));

        assertThat(pipeline.auditRecords()).hasSize(2);
        assertThat(pipeline.auditRecords())
                .extracting(TestRecord::getRecordTime)
                .allMatch(time -> !time.isBefore(begun));
        assertThat(pipeline.messages()).extracting(TestRecord::getRecordTime).allMatch(time -> !time.isBefore(begun));
        assertThat(pipeline.deadLetters(Stage.DECODE))
                .hasSize(1)
                .extracting(TestRecord::getRecordTime)
                .allMatch(time -> !time.isBefore(begun));
    }

    @Test
    void backdatedPatchPrunesNoRecentCheckpoint() {
        start(Map.of(RetentionKeys.CHECKPOINTS, 60_000L));
        pipeline.send(InputRecord.patch("ctx", "P1", "C0", "C1", "+ DEF A = 1").at(Instant.now()));
        pipeline.send(InputRecord.patch("ctx", "P2", "C1", "C2", "+ DEF B = 1").at(EARLY));
        pipeline.send(InputRecord.patch("ctx", "P3", "C2", "C3", "+ DEF C = 1").at(Instant.now()));

        assertThat(pipeline.audit()).extracting(AuditRecord::getVerdict).containsOnly(Verdict.ACCEPTED.name());
        assertThat(pipeline.checkpointStore().get("default|ctx|C1").getPrunedAt())
                .isNull();
    }

    @Test
    void futureTimestampClosesNoOtherDialogue() {
        start(Map.of(ParleyConfig.IDLE_MS, 600_000L));
        pipeline.send(InputRecord.slipRequest(1, 1).at(Instant.now()));
        DialogueState before = pipeline.conversationStore().get("default|SLIP|1");
        pipeline.send(InputRecord.slipRequest(2, 1).at(ahead()));

        assertThat(pipeline.conversationStore().get("default|SLIP|1")).isEqualTo(before);
    }

    @Test
    void futureTimestampExpiresNoOtherParkedPatch() {
        start(Map.of(ParleyConfig.PARKING_MS, 600_000L));
        pipeline.send(InputRecord.patch("ctx", "P2", "C1", "C2", "+ DEF B = 1").at(Instant.now()));
        pipeline.send(InputRecord.slipRequest(2, 1).at(ahead()));
        assertThat(pipeline.deadLetters()).isEmpty();

        pipeline.send(InputRecord.patch("ctx", "P1", "C0", "C1", "+ DEF A = 1").at(Instant.now()));

        assertThat(pipeline.audit()).extracting(AuditRecord::getVerdict).containsOnly(Verdict.ACCEPTED.name());
        assertThat(pipeline.checkpointStore().get("default|ctx|C2")).isNotNull();
    }

    @Test
    void backdatedConversationIsNotIdleForTheViews() throws Exception {
        start(Map.of());
        pipeline.send(InputRecord.slipRequest(1, 1).at(EARLY));
        pipeline.send(InputRecord.slipRequest(2, 1).at(ahead()));
        ViewRetention hour =
                new ViewRetention(Duration.ofHours(1).toMillis(), ViewRetention.FOREVER, ViewRetention.FOREVER);
        try (ViewsDriver views = new ViewsDriver(directory.resolve("views"), hour, ViewsListener.NONE, Instant.now())) {
            pipeline.audit().forEach(views::audit);
            views.pass(Duration.ofSeconds(10));

            assertThat(views.views().messages("default|SLIP|1", 0, 10)).hasSize(1);
        }
    }
}
