package dev.parley.cli.export;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.AuditTile;
import dev.parley.avro.Source;
import dev.parley.cli.export.TopicExport.Selection;
import dev.parley.cli.verify.PublishedLog;
import dev.parley.log.AuditFault;
import dev.parley.log.KeyFiles;
import dev.parley.log.LogNoteReader;
import dev.parley.log.LogNotes;
import dev.parley.log.TrustedKey;
import dev.parley.log.TrustedLogs;
import dev.parley.log.export.ExportFormat;
import dev.parley.log.export.ExportItem;
import dev.parley.log.export.ExportItems;
import dev.parley.log.export.ExportReader;
import dev.parley.log.export.ProgressListener;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.log.tlog.Witness;
import dev.parley.log.tlog.WitnessPolicy;
import dev.parley.log.tlog.WitnessState;
import dev.parley.log.verify.FileVerification;
import dev.parley.log.verify.VerifyReport;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.server.ServerConfig;
import dev.parley.server.api.FakeViews;
import dev.parley.server.feature.Contributions;
import dev.parley.server.feature.CosignedHeads;
import dev.parley.server.feature.FeatureContext;
import dev.parley.server.feature.RunningFeature;
import dev.parley.server.http.BoundAddress;
import dev.parley.server.http.HostNames;
import dev.parley.server.http.HttpListener;
import dev.parley.server.http.WitnessServer;
import dev.parley.server.metrics.Metrics;
import dev.parley.server.witness.WitnessFeature;
import dev.parley.testing.NewTopicProducers;
import dev.parley.testing.SharedCluster;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.topics.Topics;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exports of a time range from a topic whose records are not in the order of their times. */
@Tag("long")
class TopicExportTest {
    private static final Instant TEN = Instant.parse("2026-01-31T10:00:00Z");
    private static final Instant ELEVEN = TEN.plus(Duration.ofHours(1));
    private static final Instant NOON = TEN.plus(Duration.ofHours(2));

    /** When the log is complete in most tests. */
    private static final Instant COMPLETE = NOON.plusSeconds(10_800);

    @TempDir
    private Path directory;

    private final TopicNames names = SharedCluster.newDeployment();
    private AvroSerdes serdes;
    private Topics topics;
    private KafkaProducer<byte[], byte[]> producer;
    private static final String ORIGIN = "example.com/audit";
    private final NoteSigner key = NoteSigner.of(ORIGIN, KeyFiles.newPair());
    private PublishedLog log;
    private Optional<Instant> exportedTo = Optional.empty();
    private final Map<String, AuditRecord> last = new HashMap<>();
    private final List<String> faults = new ArrayList<>();
    private final ProgressListener progressListener = new ProgressListener() {
        @Override
        public void found(AuditFault auditFault) {
            faults.add(auditFault.toString());
        }

        @Override
        public void progress(long so, long of) {}
    };

    @BeforeEach
    void open() throws Exception {
        serdes = AvroSerdes.fromConfig(Map.of("schema.registry.url", "mock://" + UUID.randomUUID()));
        topics = new Topics(names, serdes);
        log = new PublishedLog(ORIGIN, List.of(key), topics);
        try (Admin admin = Admin.create(clients())) {
            admin.createTopics(Stream.of(names.audit(), names.auditHead(), names.auditTile(), names.redaction())
                            .map(name -> new NewTopic(name, 1, (short) 1))
                            .toList())
                    .all()
                    .get();
        }
        producer = new KafkaProducer<>(
                NewTopicProducers.settings(clients()), new ByteArraySerializer(), new ByteArraySerializer());
    }

    @AfterEach
    void close() throws Exception {
        producer.close();
        serdes.close();
    }

    private Map<String, Object> clients() {
        return Map.of("bootstrap.servers", SharedCluster.brokers());
    }

    /** Writes the next record of a chain, received at one time and recorded at another. */
    private void record(String chain, Instant received, Instant recorded) throws Exception {
        AuditRecord before = last.get(chain);
        long sequence = before == null ? 0 : before.getSequence() + 1;
        Source source = new Source(names.wire(), 0, last.size() * 100 + sequence, received, null);
        AuditRecord link = log.append(chain, before, source, received.toString());
        last.put(chain, link);
        Future<RecordMetadata> sent = producer.send(new ProducerRecord<>(
                names.audit(),
                0,
                recorded.toEpochMilli(),
                chain.getBytes(UTF_8),
                topics.audit().write(link)));
        sent.get();
    }

    /** The records of an export as chain#sequence, when it verifies. */
    private List<String> export(Selection selection) throws Exception {
        send(log.publish(COMPLETE));
        return exportPublished(selection);
    }

    private void send(List<ProducerRecord<byte[], byte[]>> published) throws Exception {
        for (ProducerRecord<byte[], byte[]> each : published) {
            producer.send(each).get();
        }
    }

    private List<String> exportPublished(Selection selection) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        LogNoteReader notes = new LogNoteReader(List.of(key.verifierKey()));
        try (TopicExport export = new TopicExport(clients(), names, serdes, notes, progressListener)) {
            export.run(
                    selection, Optional.of(new LogNotes(ORIGIN, List.of(key))), ExportFormat.JSONL, out, Instant.now());
            exportedTo = export.end();
        }
        Path file = Files.write(directory.resolve(UUID.randomUUID().toString()), out.toByteArray());
        VerifyReport verified =
                new FileVerification(new LogNoteReader(List.of(key.verifierKey())), progressListener).run(file);
        assertThat(faults).isEmpty();
        assertThat(verified.summary().isSound()).isTrue();
        return records(out.toByteArray());
    }

    private byte[] export(WitnessPolicy policy) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TopicExport export = new TopicExport(
                clients(),
                names,
                serdes,
                new LogNoteReader(policy, TrustedKey.present(List.of(key.verifierKey()))),
                progressListener)) {
            export.run(Selection.EVERYTHING, Optional.empty(), ExportFormat.JSONL, out, Instant.now());
        }
        return out.toByteArray();
    }

    /** Publishes tiles, statement and head, and shows them to views. */
    private void publish(FakeViews views) throws Exception {
        views.heads.clear();
        for (ProducerRecord<byte[], byte[]> published : log.publish(NOON)) {
            producer.send(published).get();
            if (published.topic().equals(names.auditTile())) {
                AuditTile tile = topics.auditTile().read(published.value());
                views.tiles.removeIf(
                        before -> before.getLevel() == tile.getLevel() && before.getIndex() == tile.getIndex());
                views.tiles.add(tile);
            } else {
                views.heads.add(topics.auditHead().read(published.value()));
            }
        }
    }

    @Test
    void onlyAKeyOfTheDeploymentSignsTheEndOfAChain() throws Exception {
        record("a", TEN, TEN);
        export(Selection.EVERYTHING);
        NoteSigner foreign = NoteSigner.of(ORIGIN, KeyFiles.newPair());
        assertThatSigning(foreign)
                .hasMessageContaining("signed by " + key.verifierKey() + ", not by " + foreign.verifierKey())
                .hasMessageContaining("audit.heads.key.files");
    }

    @Test
    void noKeySignsTheEndOfAChainInAnUnsignedLog() throws Exception {
        log = new PublishedLog(ORIGIN, List.of(), topics);
        record("a", TEN, TEN);
        for (ProducerRecord<byte[], byte[]> published : log.publish(NOON)) {
            producer.send(published).get();
        }
        assertThatSigning(key).hasMessageContaining("lists no key; omit --sign");
    }

    /** Asserts that this key may not sign the end of chain a, and that nothing is written. */
    private AbstractThrowableAssert<?, ?> assertThatSigning(NoteSigner signer) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TopicExport export = new TopicExport(clients(), names, serdes, LogNoteReader.ofAll(), progressListener)) {
            AbstractThrowableAssert<?, ?> refusal = assertThatThrownBy(() -> export.run(
                            new Selection(Optional.of("a"), Optional.empty(), Optional.empty()),
                            Optional.of(new LogNotes(ORIGIN, List.of(signer))),
                            ExportFormat.JSONL,
                            out,
                            NOON))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(out.size()).isZero();
            return refusal;
        }
    }

    @Test
    void withWitnessesAnExportEndsAtTheLastCosignedHead() throws Exception {
        NoteSigner cosigner = NoteSigner.cosigner("witness.example/w1", KeyFiles.newPair());
        WitnessPolicy policy = new WitnessPolicy(List.of(cosigner.verifierKey()), 1);
        FakeViews views = new FakeViews();
        record("a", TEN, TEN);
        record("a", TEN.plusSeconds(1), TEN.plusSeconds(1));
        publish(views);
        try (WitnessState state = WitnessState.open(directory.resolve("witness"));
                HttpListener witness = WitnessServer.start(
                        BoundAddress.bind("127.0.0.1", 0),
                        HostNames.of(List.of()),
                        new Witness(
                                cosigner,
                                new TrustedLogs(List.of(key.verifierKey())),
                                state,
                                Clock.systemUTC(),
                                view -> {}))) {
            ParleyConfig config = ServerConfig.of(Map.of(
                    "bootstrap.servers",
                    SharedCluster.brokers(),
                    "topics.prefix",
                    names.prefix(),
                    "audit.origin",
                    ORIGIN,
                    "audit.witnesses",
                    cosigner.verifierKey() + " http://127.0.0.1:" + witness.port(),
                    "audit.witnesses.quorum",
                    "1"));
            WitnessFeature feature = new WitnessFeature();
            try (Admin admin = Admin.create(clients())) {
                admin.createTopics(feature.topics(config).stream()
                                .map(topic -> topic.newTopic(3, Optional.of((short) 1)))
                                .toList())
                        .all()
                        .get();
            }
            assertCosigned(feature.start(config, topics), views, 2);
            witness.close();
            record("a", TEN.plusSeconds(2), TEN.plusSeconds(2));
            publish(views);
            // After a restart without the witness, the topic still has the last cosigned head.
            assertCosigned(feature.start(config, topics), views, 2);
        }

        assertThat(records(export(WitnessPolicy.NONE))).containsExactly("a#0", "a#1", "a#2");
        byte[] cosigned = export(policy);
        assertThat(records(cosigned)).containsExactly("a#0", "a#1");
        LogNoteReader reader = new LogNoteReader(policy, TrustedKey.present(List.of(key.verifierKey())));
        Path file = Files.write(directory.resolve("cosigned"), cosigned);
        assertThat(new FileVerification(reader, progressListener)
                        .run(file)
                        .summary()
                        .isSound())
                .isTrue();
        assertThat(faults).isEmpty();
    }

    private static void assertCosigned(RunningFeature feature, FakeViews views, long size) {
        Metrics metrics = new Metrics(Optional.empty(), false);
        try {
            Contributions contributions = new Contributions();
            feature.contribute(new FeatureContext(null, views.views(), null, null, metrics), contributions);
            CosignedHeads heads = contributions.cosignedHeads().orElseThrow();
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(heads.head(0))
                            .hasValueSatisfying(
                                    head -> assertThat(head.getSize()).isEqualTo(size)));
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(metrics.scrape())
                            .contains("parley_audit_witness_behind_seconds{witness=\"witness.example/w1\"}"));
        } finally {
            feature.close();
            metrics.close();
        }
    }

    private static List<String> records(byte[] bytes) throws Exception {
        List<String> records = new ArrayList<>();
        try (ExportItems items = new ExportItems(new ExportReader(new ByteArrayInputStream(bytes)), false, 1)) {
            for (var item = items.next(); item.isPresent(); item = items.next()) {
                AuditRecord link = ((ExportItem.Entry) item.get()).entry().getRecord();
                if (link != null) {
                    records.add(link.getChain() + "#" + link.getSequence());
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return records;
    }

    private static Selection range(Instant from, Instant to) {
        return new Selection(Optional.empty(), Optional.ofNullable(from), Optional.ofNullable(to));
    }

    @Test
    void timeRangeContainsAllItsRecordsInAnyOrderOfTimes() throws Exception {
        record("a", TEN.minusSeconds(1), TEN.minusSeconds(1));
        record("a", TEN, TEN);
        record("ahead", NOON.plusSeconds(3_600), NOON.plusSeconds(3_600));
        record("a", TEN.plusSeconds(60), TEN.plusSeconds(60));
        record("a", NOON, NOON);
        record("waited", TEN.plusSeconds(70), NOON);
        record("a", TEN.plusSeconds(80), NOON);
        record("a", NOON.plusSeconds(1), NOON.plusSeconds(1));

        assertThat(export(range(TEN, ELEVEN)))
                .as("all records of the log from one before the first match to one after the last")
                .containsExactly("a#0", "a#1", "ahead#0", "a#2", "a#3", "waited#0", "a#4", "a#5");
        assertThat(export(range(null, TEN))).containsExactly("a#0", "a#1");
        assertThat(export(range(NOON, null))).containsExactly("a#1", "ahead#0", "a#2", "a#3", "waited#0", "a#4", "a#5");
        assertThat(export(range(NOON.plusSeconds(7_200), null)))
                .as("the last record proves that none is in the range")
                .containsExactly("a#5");
        assertThat(export(range(TEN.plusSeconds(1), TEN.plusSeconds(59))))
                .as("the records around it prove that none is in the range")
                .containsExactly("a#1", "ahead#0");
        assertThat(export(range(TEN.minusSeconds(7_200), TEN.minusSeconds(3_600))))
                .containsExactly("a#0");
    }

    /** A time such as -1h is more precise than the description of the export, with which a verifier compares. */
    @Test
    void aTimeRangeBeginsAndEndsWithAMillisecond() throws Exception {
        record("a", TEN.minusSeconds(1), TEN.minusSeconds(1));
        record("a", TEN, TEN);
        record("a", ELEVEN, ELEVEN);
        record("a", NOON, NOON);

        assertThat(export(range(TEN.plusNanos(500_000), ELEVEN.plusNanos(500_000))))
                .containsExactly("a#0", "a#1", "a#2");
    }

    @Test
    void headsMayBeNewerThanTheStatement() throws Exception {
        for (int second = 0; second < 13; second++) {
            record("a", TEN.plusSeconds(second), TEN.plusSeconds(second));
        }
        send(log.publish(COMPLETE));
        for (int second = 0; second < 7; second++) {
            record("b", ELEVEN.plusSeconds(second), ELEVEN.plusSeconds(second));
        }
        List<ProducerRecord<byte[], byte[]>> published = log.publish(NOON);
        send(published.subList(0, published.size() - 1));

        assertThat(exportPublished(Selection.EVERYTHING)).hasSize(20);
        assertThat(exportPublished(range(ELEVEN.plusSeconds(6), null))).containsExactly("b#5", "b#6");
        assertThat(exportPublished(range(TEN, TEN.plusSeconds(1)))).containsExactly("a#0", "a#1");
        assertThat(exportPublished(new Selection(Optional.of("a"), Optional.empty(), Optional.empty())))
                .hasSize(13);
    }

    /** An insider without the key writes heads, which must not make every later export incomplete. */
    @Test
    void notesThatNoKeyOfTheDeploymentSignedAreNotExported() throws Exception {
        record("a", TEN, TEN);
        send(log.publish(NOON));
        for (List<NoteSigner> by : List.of(List.<NoteSigner>of(), List.of(NoteSigner.of(ORIGIN, KeyFiles.newPair())))) {
            LogNotes forged = new LogNotes(ORIGIN, by);
            AuditHead head = forged.head(0, 100_000, new byte[32], NOON);
            send(List.of(log.record(head), log.record(forged.statement(9, new TreeMap<>(), NOON.plusSeconds(1)))));
        }
        assertThat(exportPublished(Selection.EVERYTHING)).containsExactly("a#0");
        try (TopicExport heads = new TopicExport(
                clients(), names, serdes, new LogNoteReader(List.of(key.verifierKey())), progressListener)) {
            assertThat(heads.latestNotes()).extracting(AuditHead::getSize).containsExactly(1L, 1L);
        }
    }

    /** An insider needs no key to write signed notes again, or the statement of a chain from an export. */
    @Test
    void notesThatWereWrittenAgainReplaceNoNewerOnes() throws Exception {
        record("a", TEN, TEN);
        send(log.publish(COMPLETE));
        LogNotes notes = new LogNotes(ORIGIN, List.of(key));
        send(List.of(
                log.record(log.head(TEN)),
                log.record(log.statement(TEN)),
                log.record(notes.chainEnd("a", 0, new byte[32], 0, 1, COMPLETE.plusSeconds(1)))));
        assertThat(exportPublished(range(TEN, null))).containsExactly("a#0");
        assertThat(exportedTo).hasValue(COMPLETE);
        try (TopicExport heads = new TopicExport(
                clients(), names, serdes, new LogNoteReader(List.of(key.verifierKey())), progressListener)) {
            assertThat(heads.latestNotes()).extracting(AuditHead::getTime).containsExactly(COMPLETE, COMPLETE);
        }
    }

    /** Records of a stalled task may still follow, whatever others have recorded. */
    @Test
    void aTimeRangeEndsWhenTheLogsAreComplete() throws Exception {
        record("a", TEN, TEN);
        record("a", ELEVEN, ELEVEN);
        record("a", ELEVEN.plusSeconds(120), ELEVEN.plusSeconds(120));
        send(log.publish(ELEVEN.plusSeconds(60)));
        assertThat(exportPublished(range(TEN, null))).containsExactly("a#0", "a#1", "a#2");
        assertThat(exportPublished(range(TEN, NOON))).containsExactly("a#0", "a#1", "a#2");
        assertThat(exportedTo).hasValue(ELEVEN.plusSeconds(60));
        assertThatThrownBy(() -> exportPublished(range(NOON, null)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("complete up to " + ELEVEN.plusSeconds(60) + " only");
    }

    @Test
    void aChainThatDoesNotExistIsRefusedBeforeAnythingIsWritten() throws Exception {
        record("default|SLIP|1", TEN, TEN);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Selection unknown = new Selection(Optional.of("default|SLIP|9"), Optional.empty(), Optional.empty());
        Selection later = new Selection(Optional.of("default|SLIP|1"), Optional.of(NOON), Optional.empty());
        for (Selection selection : List.of(unknown, later)) {
            try (TopicExport export =
                    new TopicExport(clients(), names, serdes, LogNoteReader.ofAll(), progressListener)) {
                assertThatThrownBy(
                                () -> export.run(selection, Optional.empty(), ExportFormat.JSONL, out, Instant.now()))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith(
                                "no record of chain " + selection.chain().orElseThrow() + " in ");
            }
        }
        assertThat(out.size()).isZero();
        assertThat(export(new Selection(Optional.of("default|SLIP|1"), Optional.empty(), Optional.empty())))
                .containsExactly("default|SLIP|1#0");
    }

    @Test
    void clockDifferencesOfBrokersLoseNoRecord() throws Exception {
        record("a", TEN.plusSeconds(30), TEN.minusSeconds(30));
        record("a", TEN.plusSeconds(40), TEN.minusSeconds(20));

        assertThat(export(range(TEN, ELEVEN))).containsExactly("a#0", "a#1");
    }

    @Test
    void timeRangeOfAChainContainsNoOtherChain() throws Exception {
        record("a", TEN, TEN);
        record("b", TEN, TEN);
        record("a", ELEVEN, ELEVEN);

        assertThat(export(new Selection(Optional.of("a"), Optional.of(TEN), Optional.of(ELEVEN))))
                .containsExactly("a#0", "a#1");
        assertThat(export(new Selection(Optional.of("a"), Optional.of(ELEVEN), Optional.empty())))
                .as("a statement proves that the chain ends")
                .containsExactly("a#0", "a#1");
    }

    @Test
    void aRangeOfOneLogProvesThatAnotherHasNoRecordInIt() throws Exception {
        record("a", TEN.minusSeconds(7_200), TEN.minusSeconds(7_200));
        record("a", NOON, NOON);
        assertThat(export(range(NOON, null))).containsExactly("a#0", "a#1");
        assertThat(export(range(NOON.plusSeconds(1), null))).containsExactly("a#1");
    }

    @Test
    void unreadableRecordIsReportedOnce() throws Exception {
        record("a", TEN, TEN);
        byte[] garbage = {1, 2, 3};
        producer.send(new ProducerRecord<>(names.audit(), 0, TEN.toEpochMilli(), null, garbage))
                .get();
        record("a", TEN.plusSeconds(1), TEN.plusSeconds(1));
        for (ProducerRecord<byte[], byte[]> published : log.publish(NOON)) {
            producer.send(published).get();
        }

        try (TopicExport export = new TopicExport(clients(), names, serdes, LogNoteReader.ofAll(), progressListener)) {
            export.run(
                    range(TEN, ELEVEN),
                    Optional.empty(),
                    ExportFormat.JSONL,
                    new ByteArrayOutputStream(),
                    Instant.now());
        }
        assertThat(faults).singleElement().asString().contains("UNREADABLE");
    }
}
