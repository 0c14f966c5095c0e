package dev.parley.topology.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.parley.avro.Accounting;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditTile;
import dev.parley.log.AuditLog;
import dev.parley.log.tlog.Frontier;
import dev.parley.log.tlog.MerkleHasher;
import dev.parley.log.tlog.TreeHead;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.analytics.Dimensions;
import dev.parley.topology.analytics.TrafficCountProcessor;
import dev.parley.topology.analytics.TrafficSettings;
import dev.parley.topology.analytics.TrafficTopology;
import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.SourceTopicMetadata;
import dev.parley.topology.topics.Statistic;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.SortedMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Initializes each processor, processes records, and initializes it again over reverted stores, as after an aborted
 * transaction.
 */
class ProcessorReinitializationTest {
    @TempDir
    private Path directory;

    private final AvroSerdes serdes =
            AvroSerdes.fromConfig(Map.of("schema.registry.url", "mock://" + UUID.randomUUID()));
    private int tasks;
    private long clock;

    @AfterEach
    void close() throws Exception {
        serdes.close();
    }

    @Test
    void recordsOfAnAbortedTransactionAreInNoTree() {
        LogHeadProcessor heads =
                new LogHeadProcessor(PipelineSettings.of(new ParleyConfig(Map.of())), PipelineListener.NONE);
        MockProcessorContext<String, SpecificRecord> first = newContext();
        AuditLog log = log(first, 300);
        heads.init(first);
        tick(first);
        assertThat(log(first).next().getIndex()).isEqualTo(300);
        for (int i = 300; i < 600; i++) {
            log.append(hash(i));
        }

        // The records from 300 on were aborted, and 300 to 309 are now others.
        MockProcessorContext<String, SpecificRecord> second = newContext();
        log(second, 300);
        AuditLog restored = log(second);
        Frontier committed = new Frontier();
        for (int i = 0; i < 310; i++) {
            ByteBuffer hash = hash(i < 300 ? i : -i);
            if (i >= 300) {
                restored.append(hash);
            }
            committed.append(new MerkleHasher().leaf(hash.array()));
        }
        heads.init(second);
        tick(second);
        tick(second);

        assertThat(heads(second)).singleElement().satisfies(head -> {
            assertThat(head.getSize()).isEqualTo(310);
            assertThat(LogTrees.treeHead(head).root()).isEqualTo(committed.root());
        });
        assertThat(tiles(second))
                .extracting(
                        AuditTile::getLevel,
                        AuditTile::getIndex,
                        tile -> tile.getHashes().remaining() / 32)
                .containsExactly(tuple(0, 0L, 256), tuple(0, 1L, 54), tuple(1, 0L, 1));
    }

    @Test
    void aLogThatDoesNotGrowHasOneHeadPerStartOfItsTask() {
        LogHeadProcessor heads =
                new LogHeadProcessor(PipelineSettings.of(new ParleyConfig(Map.of())), PipelineListener.NONE);
        for (int revival = 0; revival < 3; revival++) {
            MockProcessorContext<String, SpecificRecord> context = newContext();
            log(context, 5);
            heads.init(context);
            tick(context);
            tick(context);
            assertThat(heads(context)).as("init %d", revival).hasSize(1);
        }
    }

    /** A timer that is late once must not double the age of a head: a verifier allows ten minutes. */
    @ParameterizedTest
    @CsvSource({"10, 70", "60, 300", "240, 481"})
    void aLogThatDoesNotGrowRepeatsItsHeadInTime(long intervalSeconds, long maxAgeSeconds) {
        LogHeadProcessor heads = new LogHeadProcessor(
                PipelineSettings.of(new ParleyConfig(Map.of(AuditKeys.HEADS_INTERVAL_MS, intervalSeconds * 1_000))),
                PipelineListener.NONE);
        MockProcessorContext<String, SpecificRecord> context = newContext();
        log(context, 5);
        heads.init(context);
        tick(context);
        long begin = clock;
        for (long second = 1; second <= 20 * intervalSeconds; second++) {
            for (MockProcessorContext.CapturedPunctuator timer : running(context)) {
                if (second % timer.getInterval().toSeconds() == 0) {
                    timer.getPunctuator().punctuate(begin + second * 1_000 + (second == 6 * intervalSeconds ? 1 : 0));
                }
            }
        }
        List<Instant> times = heads(context).stream().map(AuditHead::getTime).toList();
        assertThat(times).hasSizeGreaterThan(2);
        for (int i = 1; i < times.size(); i++) {
            assertThat(Duration.between(times.get(i - 1), times.get(i)))
                    .isBetween(
                            Duration.ofSeconds(Math.min(intervalSeconds * 6, 300)), Duration.ofSeconds(maxAgeSeconds));
        }
    }

    @Test
    void aReadOfHeadsAtEveryTickDoesNotHoldBackTheFirstHead() {
        List<CompletableFuture<Optional<SortedMap<Integer, TreeHead>>>> reads = new ArrayList<>();
        PublishedHeads slow = () -> {
            reads.add(new CompletableFuture<>());
            return reads.get(reads.size() - 1);
        };
        LogHeadProcessor heads = new LogHeadProcessor(
                PipelineSettings.of(new ParleyConfig(Map.of())).with(SourceTopicMetadata.NONE, RestoredLogs.NONE, slow),
                PipelineListener.NONE);
        MockProcessorContext<String, SpecificRecord> context = newContext();
        log(context, 5);
        heads.init(context);
        for (int i = 0; i < 5; i++) {
            // The timer of the start is the last one, so it always finds that a read has begun.
            List<MockProcessorContext.CapturedPunctuator> timers = new ArrayList<>(running(context));
            Collections.reverse(timers);
            timers.forEach(timer -> timer.getPunctuator().punctuate(clock += 10_000));
            reads.forEach(read -> read.complete(Optional.of(Collections.emptySortedMap())));
        }
        assertThat(heads(context)).isNotEmpty();
    }

    @Test
    void aLogThatLacksAHashIsNotContinued() {
        MockProcessorContext<String, SpecificRecord> context = newContext();
        log(context, 20);
        KeyValueStore<String, byte[]> store = context.getStateStore(PipelineStores.LOG);
        store.delete("edge|0|0");

        assertThatThrownBy(() -> log(context)).hasMessageContaining("lacks its hashes from 0 of level 0");
        LogHeadProcessor heads =
                new LogHeadProcessor(PipelineSettings.of(new ParleyConfig(Map.of())), PipelineListener.NONE);
        assertThatThrownBy(() -> heads.init(context))
                .isInstanceOf(StreamsException.class)
                .hasNoCause()
                .hasMessageContainingAll(
                        "Log 0 cannot be continued",
                        "lacks its hashes from 0 of level 0",
                        "Stop every instance, and see \"Unreadable values\"");
    }

    /** Creates the log of a task with this many records. */
    private AuditLog log(MockProcessorContext<?, ?> context, int size) {
        store(context, PipelineStores.LOG, Serdes.ByteArray());
        AuditLog log = log(context);
        for (int i = 0; i < size; i++) {
            log.append(hash(i));
        }
        return log;
    }

    /** Restores the log of a task. */
    private static AuditLog log(MockProcessorContext<?, ?> context) {
        KeyValueStore<String, byte[]> store = context.getStateStore(PipelineStores.LOG);
        return new AuditLog(context.taskId().partition(), new KafkaSortedStore<>(store));
    }

    private static ByteBuffer hash(long seed) {
        return ByteBuffer.allocate(32).putLong(0, seed);
    }

    /** The published heads, without the statement of partition 0. */
    private static List<AuditHead> heads(MockProcessorContext<String, SpecificRecord> context) {
        return context.forwarded().stream()
                .map(forward -> forward.record().value())
                .filter(value -> value instanceof AuditHead head && head.getPartition() >= 0)
                .map(AuditHead.class::cast)
                .toList();
    }

    private static List<AuditTile> tiles(MockProcessorContext<String, SpecificRecord> context) {
        return context.forwarded().stream()
                .map(forward -> forward.record().value())
                .filter(AuditTile.class::isInstance)
                .map(AuditTile.class::cast)
                .toList();
    }

    @Test
    void countsOfAnAbortedTransactionArePublishedAgain() {
        AccountingProcessor<byte[], byte[]> counts = new AccountingProcessor<>(PipelineStores.INPUTS);
        Supplier<MockProcessorContext<String, Accounting>> committed = () -> {
            MockProcessorContext<String, Accounting> context = newContext();
            store(context, PipelineStores.INPUTS, serdes.values(Accounting.class))
                    .put(
                            "parley.wire-0",
                            new Accounting(
                                    "parley.wire", 0, 7L, 0L, 0L, 0L, 0L, 0L, -1L, 0L, 0L, -1L, null, -1, List.of()));
            context.setRecordMetadata("parley.wire", 0, 6);
            return context;
        };
        for (int revival = 0; revival < 3; revival++) {
            MockProcessorContext<String, Accounting> context = committed.get();
            counts.init(context);
            tick(context);
            tick(context);
            assertThat(context.forwarded())
                    .as("init %d", revival)
                    .singleElement()
                    .satisfies(forward ->
                            assertThat(forward.record().value().getInputs()).isEqualTo(7));
        }
    }

    @Test
    void countsThatAnotherClientOverwroteArePublishedAgain() {
        AccountingProcessor<byte[], byte[]> counts = new AccountingProcessor<>(PipelineStores.INPUTS);
        MockProcessorContext<String, Accounting> context = newContext();
        store(context, PipelineStores.INPUTS, serdes.values(Accounting.class))
                .put(
                        "parley.wire-0",
                        new Accounting(
                                "parley.wire", 0, 7L, 0L, 0L, 0L, 0L, 0L, -1L, 0L, 0L, -1L, null, -1, List.of()));
        counts.init(context);
        tick(context);
        running(context).forEach(scheduled -> scheduled.getPunctuator().punctuate(clock));
        tick(context);

        assertThat(context.forwarded())
                .hasSize(2)
                .allSatisfy(forward ->
                        assertThat(forward.record().value().getInputs()).isEqualTo(7));
    }

    @Test
    void restoredMinutesAreForwardedAgainInSlices() {
        assertForwardedInSlices(i -> String.format("%013d", i * 60_000L) + sender("s"));
    }

    @Test
    void restoredRowsOfOneMinuteAreForwardedAgainInSlices() {
        assertForwardedInSlices(i -> String.format("%013d", 0) + sender("sender-" + i));
    }

    private static String sender(String name) {
        return Dimensions.of(Statistic.TRAFFIC, "n", "SLIP", "REQUEST", name, "ACCEPTED")
                .toKey();
    }

    private void assertForwardedInSlices(IntFunction<String> keys) {
        TrafficCountProcessor minutes = new TrafficCountProcessor(1, TrafficSettings.DEFAULT);
        for (int revival = 0; revival < 2; revival++) {
            MockProcessorContext<String, SpecificRecord> context = newContext();
            KeyValueStore<String, long[]> store = store(context, TrafficTopology.COUNTS, TrafficTopology.COUNTS_SERDE);
            store(context, TrafficTopology.OPEN_ITEMS, TrafficTopology.ITEMS);
            for (int i = 0; i < 2_500; i++) {
                store.put(keys.apply(i), new long[] {1});
            }
            context.setCurrentStreamTimeMs(10_000 * 60_000L);
            minutes.init(context);
            assertThat(longestTick(context, 3)).isPositive().isLessThanOrEqualTo(TrafficCountProcessor.SLICE);
            assertThat(context.forwarded()).hasSize(2_500);
            assertThat(store.all().hasNext()).isFalse();
        }
    }

    private void tick(MockProcessorContext<?, ?> context) {
        running(context).stream()
                .filter(scheduled -> scheduled.getInterval().compareTo(Duration.ofMinutes(1)) <= 0)
                .forEach(scheduled -> scheduled.getPunctuator().punctuate(clock += 10_000));
    }

    private static List<MockProcessorContext.CapturedPunctuator> running(MockProcessorContext<?, ?> context) {
        return context.scheduledPunctuators().stream()
                .filter(scheduled -> !scheduled.cancelled())
                .toList();
    }

    /** Most records that one of the punctuators forwards at once. */
    private int longestTick(MockProcessorContext<?, ?> context, int ticks) {
        int longest = 0;
        for (int i = 0; i < ticks; i++) {
            for (var scheduled : running(context)) {
                int before = context.forwarded().size();
                scheduled.getPunctuator().punctuate(clock += 10_000);
                longest = Math.max(longest, context.forwarded().size() - before);
            }
        }
        return longest;
    }

    private <V> MockProcessorContext<String, V> newContext() {
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "revival");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:1");
        MockProcessorContext<String, V> context = new MockProcessorContext<>(
                settings,
                new org.apache.kafka.streams.processor.TaskId(0, tasks++),
                directory.resolve("" + tasks).toFile());
        context.setCurrentSystemTimeMs(clock);
        return context;
    }

    private static <V> KeyValueStore<String, V> store(
            MockProcessorContext<?, ?> context, String name, Serde<V> values) {
        KeyValueStore<String, V> store = org.apache.kafka.streams.state.Stores.keyValueStoreBuilder(
                        org.apache.kafka.streams.state.Stores.inMemoryKeyValueStore(name), Serdes.String(), values)
                .withLoggingDisabled()
                .build();
        store.init(context.getStateStoreContext(), store);
        context.addStateStore(store);
        return store;
    }
}
