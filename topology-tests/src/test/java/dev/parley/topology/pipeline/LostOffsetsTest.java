package dev.parley.topology.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.audit.InputPartition;
import dev.parley.avro.Accounting;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.SourceTopicMetadata;
import dev.parley.topology.pipeline.InputPositionTracker.Arrival;
import dev.parley.topology.pipeline.InputPositionTracker.RecreatedTopicException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records that are read again, and records that were deleted unread. */
class LostOffsetsTest {
    private static final String TOPIC = "parley.wire";

    @TempDir
    private Path directory;

    private final Brokers brokers = new Brokers();
    private AvroSerdes serdes;
    private KeyValueStore<String, Accounting> counts;

    @BeforeEach
    void start() {
        serdes = AvroSerdes.fromConfig(Map.of(ParleyConfig.REGISTRY_URL, "mock://" + LostOffsetsTest.class.getName()));
        counts = Stores.keyValueStoreBuilder(
                        Stores.inMemoryKeyValueStore("counts"), Serdes.String(), serdes.values(Accounting.class))
                .withLoggingDisabled()
                .build();
        counts.init(new MockProcessorContext<Void, Void>().getStateStoreContext(), counts);
    }

    @AfterEach
    void stop() throws Exception {
        counts.close();
        serdes.close();
    }

    @Test
    void recordBelowThePositionIsSkipped() {
        InputPositionTracker first = new InputPositionTracker(counts, brokers);
        assertThat(track(first, TOPIC, 0, 0)).isEqualTo(new Arrival(false, -1, 0));
        assertThat(track(first, TOPIC, 0, 1)).isEqualTo(new Arrival(false, -1, 0));

        InputPositionTracker again = new InputPositionTracker(counts, brokers);
        assertThat(track(again, TOPIC, 0, 0).isReread()).isTrue();
        assertThat(track(again, TOPIC, 0, 1).isReread()).isTrue();
        assertThat(track(again, TOPIC, 0, 2).isReread()).isFalse();
        assertThat(track(again, TOPIC, 1, 0).isReread()).isFalse();

        assertThat(counts.get(TOPIC + "-0"))
                .returns(3L, Accounting::getInputs)
                .returns(2L, Accounting::getReread)
                .returns(0L, Accounting::getUnread)
                .returns(3L, Accounting::getNextOffset);
    }

    @Test
    void deletedGapIsCountedAndAGapOfMarkersIsNot() {
        InputPositionTracker positions = new InputPositionTracker(counts, brokers);
        track(positions, TOPIC, 0, 0);
        assertThat(track(positions, TOPIC, 0, 5)).isEqualTo(new Arrival(false, -1, 0));

        brokers.first.put(TOPIC, 9L);
        assertThat(track(positions, TOPIC, 0, 10)).isEqualTo(new Arrival(false, 6, 3));
        // By now the brokers have deleted what was read.
        brokers.first.put(TOPIC, 1_000L);
        assertThat(track(positions, TOPIC, 0, 13)).isEqualTo(new Arrival(false, 11, 2));
        assertThat(track(positions, TOPIC, 0, 14)).isEqualTo(new Arrival(false, -1, 0));
        assertThat(counts.get(TOPIC + "-0").getUnread()).isEqualTo(5);
    }

    @Test
    void recordsExpiredBeforeTheFirstReadAreCounted() {
        brokers.first.put(TOPIC, 7L);

        assertThat(track(new InputPositionTracker(counts, brokers), TOPIC, 0, 7))
                .isEqualTo(new Arrival(false, 0, 7));
    }

    @Test
    void topicWithAnotherIdIsRejected() {
        brokers.ids.put(TOPIC, "one");
        track(new InputPositionTracker(counts, brokers), TOPIC, 0, 0);
        brokers.ids.put(TOPIC, "another");
        InputPositionTracker positions = new InputPositionTracker(counts, brokers);

        assertThatThrownBy(() -> track(positions, TOPIC, 0, 0))
                .isInstanceOf(RecreatedTopicException.class)
                .hasMessageContaining("parley.wire was deleted and created again");
        assertThatThrownBy(() -> track(positions, TOPIC, 0, 1)).isInstanceOf(RecreatedTopicException.class);
        assertThat(counts.get(TOPIC + "-0")).returns(1L, Accounting::getInputs).returns(0L, Accounting::getReread);
    }

    @Test
    void topicRecreatedWhileATaskReadsItIsRejected() {
        brokers.ids.put(TOPIC, "one");
        InputPositionTracker positions = new InputPositionTracker(counts, brokers);
        track(positions, TOPIC, 0, 0);
        track(positions, TOPIC, 0, 1);
        brokers.ids.put(TOPIC, "another");

        assertThatThrownBy(() -> track(positions, TOPIC, 0, 0)).isInstanceOf(RecreatedTopicException.class);
        assertThat(counts.get(TOPIC + "-0").getReread()).isZero();
    }

    @Test
    void aRecreatedTopicWithMoreRecordsIsRejected() {
        brokers.ids.put(TOPIC, "one");
        InputPositionTracker positions = new InputPositionTracker(counts, brokers);
        track(positions, TOPIC, 0, 0);
        track(positions, TOPIC, 0, 1);
        brokers.ids.put(TOPIC, "another");

        assertThatThrownBy(() -> track(positions, TOPIC, 0, 2)).isInstanceOf(RecreatedTopicException.class);
        assertThat(counts.get(TOPIC + "-0").getInputs()).isEqualTo(2);
    }

    @Test
    void remainingRepartitionRecordsAreNotJudgedTwice() {
        String repartition = "parley-by-conversation-repartition";
        PipelineSettings settings =
                PipelineSettings.of(new ParleyConfig(Map.of())).with(brokers, RestoredLogs.NONE, PublishedHeads.NONE);
        brokers.ids.put(repartition, "one");
        Accounting counted = CountStore.zero(new InputPartition(TOPIC, 0));
        new JudgedOffsetTracker(counts, settings).track(counted, at(repartition, 41), input(0, 6));
        counts.put(TOPIC + "-0", counted);

        JudgedOffsetTracker again = new JudgedOffsetTracker(counts, settings);
        assertThat(again.isJudged(at(repartition, 41), input(0, 6))).isTrue();
        assertThat(again.isJudged(at(repartition, 42), input(0, 7))).isFalse();

        brokers.ids.put(repartition, "another");
        assertThat(new JudgedOffsetTracker(counts, settings).isJudged(at(repartition, 0), input(0, 7)))
                .isFalse();
    }

    @Test
    void aCopyOfAJudgedInputIsNotJudgedAgainWhereverItIs() {
        String repartition = "parley-by-conversation-repartition";
        PipelineSettings settings = PipelineSettings.of(new ParleyConfig(Map.of()));
        JudgedOffsetTracker judging = new JudgedOffsetTracker(counts, settings);
        assertThat(judging.isJudged(at(repartition, 10), input(0, 5))).isFalse();
        assertThat(judging.isJudged(at(repartition, 11), input(1, 4))).isFalse();
        assertThatThrownBy(() -> judging.isJudged(at(repartition, 12), input(0, 5)))
                .hasMessageContaining("a copy");
        assertThatThrownBy(() -> judging.isJudged(at(repartition, 13), input(0, 4)))
                .hasMessageContaining("a copy");
        assertThat(judging.isJudged(at(repartition, 14), input(0, 6))).isFalse();

        Accounting counted = CountStore.zero(new InputPartition(TOPIC, 0));
        judging.track(counted, at(repartition, 14), input(0, 6));
        counts.put(TOPIC + "-0", counted);
        JudgedOffsetTracker restarted = new JudgedOffsetTracker(counts, settings);
        assertThat(restarted.isJudged(at(repartition, 14), input(0, 6))).isTrue();
        assertThatThrownBy(() -> restarted.isJudged(at(repartition, 15), input(0, 6)))
                .hasMessageContaining("a copy");
        assertThat(restarted.isJudged(at(repartition, 16), input(0, 7))).isFalse();
    }

    private static Source input(int partition, long offset) {
        return new Source(TOPIC, partition, offset, Instant.EPOCH, null);
    }

    @Test
    void deletedGapIsAuditedInTheChainOfItsPartitionAndIsNotCountedAsInput() {
        for (boolean keyed : List.of(false, true)) {
            Brokers ofPipeline = new Brokers();
            Map<String, Object> changes = Map.of(ParleyConfig.KEYED, keyed);
            try (PipelineDriver pipeline =
                    PipelineDriver.in(directory.resolve("keyed-" + keyed), changes, ofPipeline)) {
                pipeline.send(InputRecord.bytes(new byte[] {1}).to(TOPIC));
                pipeline.sendDeleted(InputRecord.bytes(new byte[] {1}).to(TOPIC));
                pipeline.sendDeleted(InputRecord.bytes(new byte[] {1}).to(TOPIC));
                ofPipeline.first.put(TOPIC, 3L);
                pipeline.send(InputRecord.bytes(new byte[] {1}).to(TOPIC));
                pipeline.waitFor(Duration.ofSeconds(2));

                AuditRecord gap = pipeline.audit().get(1);
                assertThat(gap)
                        .returns("INPUT_EXPIRED", AuditRecord::getCode)
                        .returns(Verdict.UNDECODABLE.name(), AuditRecord::getVerdict)
                        .returns(2L, AuditRecord::getUnread)
                        .returns(null, AuditRecord::getPosition)
                        .returns(1L, record -> record.getSource().getOffset())
                        .returns(pipeline.audit().get(0).getChain(), AuditRecord::getChain)
                        .returns(1L, AuditRecord::getSequence);
                assertThat(pipeline.audit()).hasSize(3);
                assertThat(pipeline.deadLetters(Stage.DECODE)).hasSize(2);
                assertThat(last(pipeline, true))
                        .returns(2L, Accounting::getInputs)
                        .returns(2L, Accounting::getUnread);
                assertThat(last(pipeline, false).getUndecodable()).isEqualTo(2);
            }
        }
    }

    private static Accounting last(PipelineDriver pipeline, boolean inputs) {
        return pipeline.accounting().stream()
                .map(TestRecord::value)
                .filter(counted -> inputs == counted.getInputs() > 0)
                .reduce((before, after) -> after)
                .orElseThrow();
    }

    private static Optional<RecordMetadata> at(String topic, long offset) {
        return Optional.of(new RecordMetadata() {
            @Override
            public String topic() {
                return topic;
            }

            @Override
            public int partition() {
                return 0;
            }

            @Override
            public long offset() {
                return offset;
            }
        });
    }

    /** What a test says of the topics. */
    static final class Brokers implements SourceTopicMetadata {
        private final Map<String, String> ids = new HashMap<>();
        private final Map<String, Long> first = new HashMap<>();
        private final int partitions;

        Brokers() {
            this(1);
        }

        Brokers(int partitions) {
            this.partitions = partitions;
        }

        @Override
        public Optional<String> id(String topic) {
            return Optional.ofNullable(ids.get(topic));
        }

        @Override
        public long expiredBefore(String topic, int partition) {
            return first.getOrDefault(topic, 0L);
        }

        @Override
        public int partitions(Collection<String> topics) {
            return partitions;
        }
    }

    private static Arrival track(InputPositionTracker positions, String topic, int partition, long offset) {
        Arrival arrival = positions.track(topic, partition, offset);
        positions.save(arrival.isReread() ? OptionalInt.empty() : OptionalInt.of(0));
        return arrival;
    }
}
