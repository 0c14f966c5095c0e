package dev.parley.topology.pipeline;

import static dev.parley.topology.pipeline.DeadLetterAssert.assertThatLetter;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.avro.Checkpoint;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.codec.Code;
import dev.parley.topology.config.RetentionKeys;
import dev.parley.topology.kafka.UnreadableValues;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Values of stores that somebody else wrote stop the messages that need them, and nothing else. */
class UnreadableStateTest extends AbstractPipelineTest {
    private static final InputRecord ORPHAN = InputRecord.patch("ctx", "P2", "C1", "C2", "+ DEF A = 1");
    private static final InputRecord BASE = InputRecord.patch("ctx", "P1", "C0", "C1", "+ DEF B = 1");

    private static final byte[] ONE_BYTE = {1};

    @BeforeEach
    void startPipeline() {
        start();
    }

    /** What a store has after a restore with a key for codes, and without one. */
    static Stream<byte[]> values() {
        return Stream.of(UnreadableValues.refused(), ONE_BYTE);
    }

    static Stream<Arguments> countsAndValues() {
        return Stream.of("parked|", "parked-in|", "parked-for|")
                .flatMap(kind -> values().map(value -> Arguments.of(kind, value)));
    }

    private void damageAll(String store, String kind, byte[] value) {
        List<String> keys = pipeline.keys(store).stream()
                .filter(key -> key.startsWith(kind))
                .toList();
        assertThat(keys).isNotEmpty();
        keys.forEach(key -> pipeline.damage(store, key, value));
    }

    @ParameterizedTest
    @MethodSource("values")
    void aConversationWithAnUnreadableStateStopsAlone(byte[] value) {
        pipeline.send(InputRecord.slipRequest(7, 1));
        String chain = pipeline.keys(PipelineStores.CONVERSATIONS).get(0);
        assertThat(chain).endsWith("|7");
        pipeline.damage(PipelineStores.CONVERSATIONS, chain, value);
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

    @ParameterizedTest
    @MethodSource("values")
    void theSweepOfIdleConversationsPassesAnUnreadableOne(byte[] value) {
        for (int conversation = 1; conversation <= 3; conversation++) {
            pipeline.send(InputRecord.slipRequest(conversation, 1));
        }
        pipeline.damage(
                PipelineStores.CONVERSATIONS,
                pipeline.keys(PipelineStores.CONVERSATIONS).get(1),
                value);

        pipeline.later(Duration.ofDays(20));
        pipeline.send(InputRecord.slipRequest(4, 1));
        pipeline.waitFor(Duration.ofSeconds(5));

        assertThat(pipeline.deadLetters()).isEmpty();
        assertThat(pipeline.conversationStore()
                        .get(pipeline.keys(PipelineStores.CONVERSATIONS).get(2))
                        .getSlip())
                .isNull();
    }

    @ParameterizedTest
    @MethodSource("values")
    void anUnreadableParkedPatchDelaysNoOther(byte[] value) {
        pipeline.send(ORPHAN);
        Source second = pipeline.send(InputRecord.patch("ctx", "P3", "C1", "C3", "+ DEF C = 1"));
        pipeline.damage(
                PipelineStores.PARKED, pipeline.keys(PipelineStores.PARKED).get(0), value);

        pipeline.send(BASE);

        assertThat(pipeline.auditOf(second).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(pipeline.keys(PipelineStores.PARKED)).isEmpty();
        assertThat(pipeline.deadLetters()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("values")
    void anUnreadableParkedPatchExpires(byte[] value) {
        pipeline.send(ORPHAN);
        pipeline.damage(
                PipelineStores.PARKED, pipeline.keys(PipelineStores.PARKED).get(0), value);

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
    @MethodSource("countsAndValues")
    void unreadableCountsOfParkedPatchesAreCountedAgain(String kind, byte[] value) {
        Source parked = pipeline.send(ORPHAN);
        damageAll(PipelineStores.CHECKPOINT_INDEX, kind, value);

        pipeline.send(BASE);

        assertThat(pipeline.auditOf(parked).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(pipeline.keys(PipelineStores.CHECKPOINT_INDEX)).noneMatch(each -> each.startsWith("parked"));
    }

    @ParameterizedTest
    @MethodSource("values")
    void aParkedPatchOfAnUnreadableConversationIsADeadLetterOfItsOwn(byte[] value) {
        pipeline.send(BASE);
        Source parked = pipeline.send(InputRecord.patch("ctx", "P9", "C8", "C9", "+ DEF A = 1"));
        pipeline.damage(
                PipelineStores.CONVERSATIONS,
                pipeline.keys(PipelineStores.CONVERSATIONS).get(0),
                value);

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

    @ParameterizedTest
    @MethodSource("values")
    void everyRecordIsJudgedWhateverTheCountsAre(byte[] value) {
        pipeline.send(InputRecord.slipRequest(7, 1));
        for (String store : List.of(PipelineStores.INPUTS, PipelineStores.OUTCOMES)) {
            pipeline.damage(store, pipeline.keys(store).get(0), value);
        }

        Source next = pipeline.send(InputRecord.slipRequest(8, 1));
        pipeline.waitFor(Duration.ofSeconds(5));

        assertThat(pipeline.auditOf(next).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(pipeline.deadLetters()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("values")
    void entriesOfTheIndexThatNoTaskWritesStopNothing(byte[] value) {
        Source parked = pipeline.send(ORPHAN);
        for (String key : List.of(
                "due|x",
                "due|",
                "free|x",
                "free|",
                "free|0000000000000000000|0000000000000000000",
                "free-next",
                "hash|x",
                "hash|default|ctx|C1|x",
                "parked-for|x",
                "parked-for|default|ctx|C0",
                "old|default|ctx|x")) {
            pipeline.damage(PipelineStores.CHECKPOINT_INDEX, key, value);
        }

        pipeline.send(BASE);
        Source other = pipeline.send(InputRecord.patch("other", "P1", "C8", "C9", "+ DEF B = 1"));
        pipeline.later(Duration.ofHours(2));
        pipeline.waitFor(Duration.ofSeconds(5));
        Source next = pipeline.send(InputRecord.slipRequest(7, 1));

        assertThat(pipeline.auditOf(parked).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(pipeline.auditOf(other).getCode()).isEqualTo(Code.CSP_UNKNOWN_BASE.name());
        assertThat(pipeline.auditOf(next).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(pipeline.deadLetters(Stage.INTERNAL)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("values")
    void unreadableEntriesOfTheRetentionLoseNoBranchAndStopNoPatch(byte[] value) {
        pipeline.close();
        start(Map.of(RetentionKeys.CHECKPOINTS, Duration.ofHours(1).toMillis()));
        pipeline.send(InputRecord.patch("ctx", "P1", "C0", "C1", "+ DEF A = " + "x".repeat(1_000)));
        pipeline.send(InputRecord.patch("ctx", "P2", "C1", "C2", "+ DEF B = 2"));
        pipeline.send(InputRecord.patch("ctx", "P3", "C1", "C3", "+ DEF C = 3"));
        damageAll(PipelineStores.CHECKPOINT_INDEX, "fork|", value);
        for (String key : List.of("fork|default|ctx|C1|C9", "old|default|ctx|0000000000000000000|C9")) {
            pipeline.damage(PipelineStores.CHECKPOINT_INDEX, key, value);
        }

        pipeline.later(Duration.ofHours(2));
        Source first = pipeline.send(InputRecord.patch("ctx", "P4", "C2", "C4", "+ DEF D = 4"));
        Source second = pipeline.send(InputRecord.patch("ctx", "P5", "C4", "C5", "+ DEF E = 5"));

        assertThat(pipeline.deadLetters()).isEmpty();
        assertThat(pipeline.auditOf(first).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(pipeline.auditOf(second).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        Map<String, Checkpoint> published = new HashMap<>();
        pipeline.checkpoints().forEach(record -> published.put(record.value().getId(), record.value()));
        assertThat(published.get("C1").getPrunedAt()).isNotNull();
        assertThat(published.get("C3").getSnapshot()).containsOnlyKeys("A", "C");
        assertThat(published).containsKeys("C4", "C5");
    }

    @Test
    void absurdCountsOfParkedPatchesStopNothing() {
        Source parked = pipeline.send(ORPHAN);
        byte[] absurd = "2 0 1 9223372036854775807".getBytes(UTF_8);
        damageAll(PipelineStores.CHECKPOINT_INDEX, "parked", absurd);

        pipeline.send(BASE);

        assertThat(pipeline.auditOf(parked).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(pipeline.deadLetters()).isEmpty();
    }

    @Test
    void aParkedPatchThatIsMissingIsParkedAgain() {
        pipeline.send(ORPHAN);
        damageAll(PipelineStores.PARKED, "", null);

        pipeline.later(Duration.ofHours(2));
        pipeline.send(InputRecord.slipRequest(7, 1));
        assertThat(pipeline.keys(PipelineStores.CHECKPOINT_INDEX)).isEmpty();
        Source again = pipeline.send(ORPHAN);
        damageAll(PipelineStores.PARKED, "", null);
        Source base = pipeline.send(BASE);
        assertThat(pipeline.auditOf(base).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        Source last = pipeline.send(ORPHAN);

        assertThat(pipeline.audit()).noneMatch(record -> record.getSource().equals(again));
        assertThat(pipeline.auditOf(last).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(pipeline.deadLetters()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("values")
    void entriesOfTheLogThatNoTaskWritesStopNothing(byte[] value) {
        pipeline.send(InputRecord.slipRequest(7, 1));
        for (String key :
                List.of("edge|0|x", "edge|0|15", "edge|9|0", "tile|x", "tile|0|0000000000000000", "tile|0|x")) {
            pipeline.damage(PipelineStores.LOG, key, value);
        }

        Source next = pipeline.send(InputRecord.slipRequest(8, 1));
        pipeline.waitFor(Duration.ofSeconds(30));

        assertThat(pipeline.auditOf(next).getVerdict()).isEqualTo(Verdict.ACCEPTED.name());
        assertThat(pipeline.heads().get(pipeline.heads().size() - 1).value().getSize())
                .isEqualTo(2);
        assertThat(pipeline.deadLetters()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("values")
    void anUnreadableCountIsReportedOnce(byte[] value) {
        pipeline.damage(PipelineStores.INPUTS, "parley.invented-0", value);
        long reported = UnreadableValues.total();

        for (int conversation = 1; conversation <= 3; conversation++) {
            pipeline.send(InputRecord.slipRequest(conversation, 1));
            pipeline.waitFor(Duration.ofSeconds(2));
        }

        assertThat(UnreadableValues.total() - reported).isEqualTo(1);
    }
}
