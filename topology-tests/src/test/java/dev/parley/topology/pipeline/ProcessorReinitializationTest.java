package dev.parley.topology.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.parley.audit.AuditTrailVerifier;
import dev.parley.audit.ChainVerifier;
import dev.parley.audit.EncodedAuditRecord;
import dev.parley.audit.HeadSignatureVerifier;
import dev.parley.audit.KeyFiles;
import dev.parley.audit.RecordLocation;
import dev.parley.avro.Accounting;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditManifest;
import dev.parley.avro.DialogueState;
import dev.parley.avro.JournalState;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.dialogue.Judgement;
import dev.parley.serde.AvroSerdes;
import dev.parley.stage.JudgedRecord;
import dev.parley.topology.analytics.CountKind;
import dev.parley.topology.analytics.Dimensions;
import dev.parley.topology.analytics.PartialCountProcessor;
import dev.parley.topology.analytics.PartialResult;
import dev.parley.topology.analytics.TrafficCountProcessor;
import dev.parley.topology.analytics.TrafficSettings;
import dev.parley.topology.analytics.TrafficTopology;
import dev.parley.topology.views.AuditRecords;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    void chainOfAnAbortedTransactionHasNoHead() {
        ChainHeadProcessor heads = new ChainHeadProcessor(
                new ChainHeadSettings(Duration.ofSeconds(5), Optional.empty(), Duration.ofMinutes(1)));
        MockProcessorContext<String, SpecificRecord> first = context(Map.of("c1", state(1), "c2", state(3)), Map.of());
        heads.init(first);
        heads.process(new Record<>("c1", recorded("c1"), 0));
        heads.process(new Record<>("c2", recorded("c2"), 0));

        // c2 was committed before, c1 never was.
        MockProcessorContext<String, SpecificRecord> second =
                context(Map.of("c2", state(2)), Map.of("c2", new byte[0]));
        heads.init(second);
        tick(second);
        assertThat(second.forwarded())
                .extracting(forward -> (AuditHead) forward.record().value())
                .extracting(AuditHead::getChain, AuditHead::getSequence)
                .containsExactly(tuple("c2", 1L));
    }

    @Test
    void chainWithoutStateIsSkippedAndDeleted() {
        ChainHeadProcessor heads = new ChainHeadProcessor(
                new ChainHeadSettings(Duration.ofSeconds(5), Optional.empty(), Duration.ofMinutes(1)));
        MockProcessorContext<String, SpecificRecord> context = context(Map.of(), Map.of("gone", new byte[0]));
        heads.init(context);
        tick(context);
        assertThat(context.forwarded()).isEmpty();
        KeyValueStore<String, byte[]> unpublished = context.getStateStore(PipelineStores.UNPUBLISHED);
        assertThat(unpublished.get("gone")).isNull();
    }

    @Test
    void headsArePublishedInSlices() {
        ChainHeadProcessor heads = new ChainHeadProcessor(
                new ChainHeadSettings(Duration.ofSeconds(5), Optional.empty(), Duration.ofMinutes(1)));
        Map<String, DialogueState> states = new HashMap<>();
        Map<String, byte[]> unpublished = new HashMap<>();
        for (int i = 0; i < 1_000; i++) {
            states.put("c" + i, state(1));
            unpublished.put("c" + i, new byte[0]);
        }
        MockProcessorContext<String, SpecificRecord> context = context(states, unpublished);
        heads.init(context);
        assertThat(longestTick(context, 5)).isPositive().isLessThanOrEqualTo(ChainHeadProcessor.SLICE);
        assertThat(context.forwarded()).hasSize(1_000);
    }

    @Test
    void headsThatWereUnsignedAreSignedInSlicesOnceAKeyIsConfigured() throws Exception {
        int chains = 3 * ChainHeadProcessor.RESIGN_SLICE + 1;
        MockProcessorContext<String, SpecificRecord> context = context(Map.of(), Map.of());
        KeyValueStore<String, DialogueState> states = context.getStateStore(PipelineStores.CONVERSATIONS);
        for (int i = 0; i < chains; i++) {
            states.put("default|SLIP|" + i, state(1));
        }
        states.put("default|SLIP|parked", state(0));
        KeyValueStore<String, JournalState> journals = context.getStateStore(PipelineStores.JOURNAL);
        ByteBuffer root = ByteBuffer.wrap(new byte[32]);
        journals.put(PipelineStores.JOURNAL_NOW, new JournalState(9L, root, 9L, 0L, null));
        ChainHeadSettings unsigned =
                new ChainHeadSettings(Duration.ofSeconds(5), Optional.empty(), Duration.ofMinutes(1));
        ChainHeadProcessor heads = new ChainHeadProcessor(unsigned);
        heads.init(context);
        longestTick(context, 10);
        assertThat(context.forwarded())
                .extracting(forward -> forward.record().value())
                .singleElement()
                .isInstanceOfSatisfying(
                        AuditManifest.class,
                        manifest -> assertThat(manifest.getSignature()).isNull());

        KeyPair first = KeyFiles.newPair();
        context.resetForwards();
        assertThat(longestTick(signing(first, context), 10))
                .as("heads at once, and a manifest")
                .isPositive()
                .isLessThanOrEqualTo(ChainHeadProcessor.RESIGN_SLICE + 2);
        assertSigned(context, first, chains);

        // The same key: nothing is signed again.
        assertThat(longestTick(signing(first, context), 10)).isZero();

        KeyPair second = KeyFiles.newPair();
        longestTick(signing(second, context), 10);
        assertSigned(context, second, chains);

        // Signing is off for a while, and heads may have lost their signatures.
        context.resetForwards();
        new ChainHeadProcessor(unsigned).init(context);
        assertThat(longestTick(context, 10)).isZero();
        longestTick(signing(second, context), 10);
        assertSigned(context, second, chains);
    }

    private MockProcessorContext<String, SpecificRecord> signing(
            KeyPair pair, MockProcessorContext<String, SpecificRecord> context) throws IOException {
        Path file = Files.writeString(directory.resolve("audit.key"), KeyFiles.privatePem(pair));
        context.resetForwards();
        context.scheduledPunctuators().forEach(MockProcessorContext.CapturedPunctuator::cancel);
        new ChainHeadProcessor(new ChainHeadSettings(Duration.ofSeconds(5), Optional.of(file), Duration.ofMinutes(1)))
                .init(context);
        return context;
    }

    /** Each chain once, and last the manifest, which says the same as before. */
    private static void assertSigned(MockProcessorContext<String, SpecificRecord> context, KeyPair pair, int chains) {
        AuditTrailVerifier trail =
                new AuditTrailVerifier(ChainVerifier.Extent.WHOLE, HeadSignatureVerifier.of(List.of(pair.getPublic())));
        Set<String> signed = new HashSet<>();
        context.forwarded().forEach(forward -> {
            if (forward.record().value() instanceof AuditHead head) {
                assertThat(trail.head(head, RecordLocation.NONE)).isEmpty();
                assertThat(signed.add(head.getChain())).isTrue();
            }
        });
        assertThat(signed).hasSize(chains);
        assertThat(context.forwarded().get(chains).record().value())
                .isInstanceOfSatisfying(AuditManifest.class, manifest -> {
                    assertThat(manifest.getRecords()).isEqualTo(9);
                    assertThat(manifest.getKeyId()).isEqualTo(HeadSignatureVerifier.idOf(pair.getPublic()));
                });
        assertThat(context.forwarded()).hasSize(chains + 1);
    }

    @Test
    void countsOfAnAbortedTransactionArePublishedAgain() {
        InputCountProcessor counts = new InputCountProcessor();
        Supplier<MockProcessorContext<String, Accounting>> committed = () -> {
            MockProcessorContext<String, Accounting> context = newContext();
            store(context, PipelineStores.INPUTS, serdes.values(Accounting.class))
                    .put(
                            "parley.wire-0",
                            new Accounting("parley.wire", 0, 7L, 0L, 0L, 0L, 0L, 0L, -1L, 0L, 0L, -1L, null));
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
    void restoredMinutesAreForwardedAgainInSlices() {
        TrafficCountProcessor minutes = new TrafficCountProcessor(
                Duration.ZERO, TrafficTopology.DEFAULT_PAUSE, TrafficTopology.DEFAULT_MAX_KEYS);
        for (int revival = 0; revival < 2; revival++) {
            MockProcessorContext<String, SpecificRecord> context = newContext();
            KeyValueStore<String, long[]> store = store(context, TrafficTopology.STORE, TrafficTopology.COUNTS);
            String kind = Dimensions.of(CountKind.TRAFFIC, "n", "SLIP", "REQUEST", "s", "ACCEPTED")
                    .toKey();
            for (int i = 0; i < 2_500; i++) {
                store.put(String.format("%013d", i * 60_000L) + kind, new long[] {1});
            }
            context.setCurrentStreamTimeMs(10_000 * 60_000L);
            minutes.init(context);
            assertThat(longestTick(context, 3)).isPositive().isLessThanOrEqualTo(TrafficCountProcessor.SLICE);
            assertThat(context.forwarded()).hasSize(2_500);
            assertThat(store.all().hasNext()).isFalse();
        }
    }

    @Test
    void restoredPartialCountsAreForwardedAgainInSlices() {
        PartialCountProcessor partials = new PartialCountProcessor(TrafficSettings.DEFAULT);
        for (int revival = 0; revival < 2; revival++) {
            MockProcessorContext<String, PartialResult> context = newContext();
            KeyValueStore<String, long[]> store = store(context, TrafficTopology.PARTIALS, TrafficTopology.COUNTS);
            store(context, TrafficTopology.OPEN_ITEMS, TrafficTopology.ITEMS);
            context.setCurrentStreamTimeMs(0);
            for (int i = 0; i < 2_500; i++) {
                Dimensions sender = Dimensions.of(CountKind.TRAFFIC, "n", "SLIP", "ASK", "sender-" + i, "ACCEPTED");
                store.put(String.format("%013d", 0) + sender.toKey(), new long[] {1});
            }
            partials.init(context);
            clock += 120_000;
            assertThat(longestTick(context, 4)).isPositive().isLessThanOrEqualTo(TrafficCountProcessor.SLICE);
            assertThat(context.forwarded()).hasSize(2_500);
            assertThat(store.all().hasNext()).isFalse();
        }
    }

    private void tick(MockProcessorContext<?, ?> context) {
        running(context).forEach(scheduled -> scheduled.getPunctuator().punctuate(clock += 10_000));
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

    private MockProcessorContext<String, SpecificRecord> context(
            Map<String, DialogueState> conversations, Map<String, byte[]> unpublished) {
        MockProcessorContext<String, SpecificRecord> context = newContext();
        KeyValueStore<String, DialogueState> states =
                store(context, PipelineStores.CONVERSATIONS, serdes.values(DialogueState.class));
        conversations.forEach(states::put);
        KeyValueStore<String, byte[]> moved = store(context, PipelineStores.UNPUBLISHED, Serdes.ByteArray());
        unpublished.forEach(moved::put);
        store(context, PipelineStores.JOURNAL, serdes.values(JournalState.class));
        return context;
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

    private static DialogueState state(long sequence) {
        ByteBuffer head = ByteBuffer.wrap("head".getBytes(StandardCharsets.UTF_8));
        return new DialogueState(sequence, head, 0L, false, null, null, null, null, 0L, null, 0, 0L);
    }

    private static JudgedRecord recorded(String chain) {
        Judgement judgement = new Judgement(Verdict.ACCEPTED, Stage.NONE, null, null, List.of(), List.of(), null, null);
        EncodedAuditRecord audit = new EncodedAuditRecord(AuditRecords.undecodable(0, 0), new byte[0], 0, 0);
        return new JudgedRecord(chain, null, null, null, judgement, List.of(), null, audit);
    }
}
