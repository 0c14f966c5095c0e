package dev.parley.cli.verify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.parley.audit.AuditChain;
import dev.parley.audit.AuditFault;
import dev.parley.audit.HeadSignatureVerifier;
import dev.parley.audit.HeadSigner;
import dev.parley.audit.Journal;
import dev.parley.audit.KeyFiles;
import dev.parley.audit.Manifests;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditManifest;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Inbound;
import dev.parley.avro.JournalPosition;
import dev.parley.avro.JournalState;
import dev.parley.avro.ParkedPatch;
import dev.parley.avro.Profile;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.cli.export.AuditRecordLookup;
import dev.parley.cli.export.ExportFormat;
import dev.parley.cli.export.Exporter;
import dev.parley.cli.export.ProgressListener;
import dev.parley.cli.export.TopicExport;
import dev.parley.json.AvroJson;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.testing.SharedCluster;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.pipeline.PipelineStores;
import dev.parley.topology.topics.InputTopics;
import dev.parley.topology.topics.Topics;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Topics as a pipeline leaves them in the middle of its work, verified: what is not in a chain, and why that is right
 * or wrong.
 */
@Tag("long")
class TopicVerificationTest {
    private static final String CHAIN = "default|SLIP|7";
    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

    @TempDir
    private Path directory;

    private final TopicNames names = SharedCluster.newDeployment();
    private final String application = names.applicationId();
    private final String repartition = application + "-" + Topics.BY_CONVERSATION + "-repartition";
    private final String parkedChangelog = application + "-" + PipelineStores.PARKED + "-changelog";
    private AvroSerdes serdes;
    private Topics topics;
    private Admin admin;
    private KafkaProducer<byte[], byte[]> producer;
    private final List<AuditRecord> chain = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private static final ProgressListener NOBODY = new ProgressListener() {
        @Override
        public void found(AuditFault auditFault) {
            throw new AssertionError(auditFault);
        }

        @Override
        public void progress(long so, long of) {
            // Not looked at.
        }
    };

    private final KeyPair pair = KeyFiles.newPair();
    private final HeadSignatureVerifier trusted = HeadSignatureVerifier.of(List.of(pair.getPublic()));
    private Journal journal;
    private JournalState published;
    private long done;
    private long total;

    @BeforeEach
    void open() throws Exception {
        serdes = AvroSerdes.fromConfig(Map.of("schema.registry.url", "mock://" + UUID.randomUUID()));
        topics = new Topics(names, serdes);
        admin = Admin.create(clients());
        admin.createTopics(Stream.of(
                                names.wire(),
                                names.audit(),
                                names.auditHead(),
                                names.auditManifest(),
                                names.deadLetters(Stage.INTERNAL),
                                repartition,
                                parkedChangelog)
                        .map(name -> new NewTopic(name, 1, (short) 1))
                        .toList())
                .all()
                .get();
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", SharedCluster.brokers(), "transactional.id", application),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        producer.initTransactions();
    }

    @AfterEach
    void close() throws Exception {
        producer.close();
        admin.close();
        serdes.close();
    }

    private Map<String, Object> clients() {
        return Map.of("bootstrap.servers", SharedCluster.brokers());
    }

    @SafeVarargs
    private void commit(ProducerRecord<byte[], byte[]>... records) {
        producer.beginTransaction();
        for (ProducerRecord<byte[], byte[]> record : records) {
            producer.send(record);
        }
        producer.commitTransaction();
    }

    private ProducerRecord<byte[], byte[]> input(int number) {
        return new ProducerRecord<>(
                names.wire(), 0, NOON.plusSeconds(number).toEpochMilli(), null, ("input " + number).getBytes(UTF_8));
    }

    private Source source(long offset) {
        return new Source(names.wire(), 0, offset, NOON, null);
    }

    /** The next link of the chain. */
    private ProducerRecord<byte[], byte[]> recorded(long offset) {
        AuditRecord link = new AuditRecord();
        link.setAllowed(List.of());
        link.setChain(CHAIN);
        link.setSequence((long) chain.size());
        link.setPreviousHash(
                chain.isEmpty()
                        ? AuditChain.genesis()
                        : chain.get(chain.size() - 1).getHash());
        link.setSource(source(offset));
        link.setRaw(ByteBuffer.wrap(("input " + offset).getBytes(UTF_8)));
        link.setVerdict(Verdict.ACCEPTED.name());
        link.setStage(Stage.NONE.name());
        link.setWarnings(List.of());
        link.setInnerMessages(List.of());
        link.setProfile(Profile.LENIENT.name());
        link.setJournal(journal == null ? new JournalPosition(0, chain.size() + 1L) : journal.next());
        AuditChain hashes = new AuditChain();
        link.setPayloadHash(hashes.payloadHash(link.getRaw()));
        link.setContentHash(hashes.contentHash(link));
        link.setHash(hashes.hash(link));
        chain.add(link);
        if (journal != null) {
            journal.add(link);
        }
        return new ProducerRecord<>(
                names.audit(),
                0,
                NOON.plusSeconds(offset).toEpochMilli(),
                CHAIN.getBytes(UTF_8),
                topics.audit().write(link));
    }

    private ProducerRecord<byte[], byte[]> head(AuditRecord link) {
        AuditHead head = new AuditHead(link.getChain(), link.getSequence(), link.getHash(), NOON, null, null);
        return new ProducerRecord<>(
                names.auditHead(), 0, CHAIN.getBytes(UTF_8), topics.auditHead().write(head));
    }

    private ProducerRecord<byte[], byte[]> signedHead(AuditRecord link) {
        AuditHead head = new AuditHead(link.getChain(), link.getSequence(), link.getHash(), NOON, null, null);
        new HeadSigner(pair).sign(head);
        return new ProducerRecord<>(
                names.auditHead(), 0, CHAIN.getBytes(UTF_8), topics.auditHead().write(head));
    }

    /** The manifest of the journal as it is. */
    private ProducerRecord<byte[], byte[]> manifest() {
        AuditManifest manifest = Manifests.next(0, journal.state(), published, NOON);
        new HeadSigner(pair).sign(manifest);
        published = Manifests.published(manifest);
        return new ProducerRecord<>(
                names.auditManifest(),
                0,
                "0".getBytes(UTF_8),
                topics.auditManifest().write(manifest));
    }

    private Inbound inbound(long offset) {
        Inbound inbound = new Inbound();
        inbound.setSource(source(offset));
        inbound.setHeaders(List.of());
        return inbound;
    }

    private ProducerRecord<byte[], byte[]> underWay(long offset) {
        return new ProducerRecord<>(
                repartition,
                0,
                CHAIN.getBytes(UTF_8),
                serdes.values(Inbound.class).serializer().serialize(repartition, inbound(offset)));
    }

    private ProducerRecord<byte[], byte[]> parked(String key, Long offset) {
        ParkedPatch patch = offset == null
                ? null
                : new ParkedPatch("default", "build", "C9", ByteBuffer.allocate(32), 0L, 0L, inbound(offset));
        byte[] value = patch == null
                ? null
                : serdes.values(ParkedPatch.class).serializer().serialize(parkedChangelog, patch);
        return new ProducerRecord<>(parkedChangelog, 0, key.getBytes(UTF_8), value);
    }

    private ProducerRecord<byte[], byte[]> internal(long offset) {
        ProducerRecord<byte[], byte[]> letter = new ProducerRecord<>(names.deadLetters(Stage.INTERNAL), new byte[] {1});
        letter.headers()
                .add("__streams.errors.topic", names.wire().getBytes(UTF_8))
                .add("__streams.errors.partition", "0".getBytes(UTF_8))
                .add("__streams.errors.offset", Long.toString(offset).getBytes(UTF_8));
        return letter;
    }

    private void committed(String topic, long offset) throws Exception {
        admin.alterConsumerGroupOffsets(
                        application, Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(offset)))
                .all()
                .get();
    }

    private VerificationSummary verify() {
        return verify(HeadSignatureVerifier.of(List.of()), StoredManifests.NONE);
    }

    private VerificationSummary verify(HeadSignatureVerifier keys, StoredManifests since) {
        faults.clear();
        ProgressListener progressListener = new ProgressListener() {
            @Override
            public void found(AuditFault auditFault) {
                faults.add(auditFault.code() + " " + auditFault.location());
            }

            @Override
            public void progress(long so, long of) {
                done = so;
                total = of;
            }
        };
        try (TopicVerification verification = new TopicVerification(
                clients(),
                names,
                serdes,
                InputTopics.of(new ParleyConfig(Map.of("topics.prefix", names.prefix())))
                        .sources(),
                application,
                keys,
                progressListener)) {
            return verification.run(since);
        }
    }

    @Test
    void everyInputWithoutAuditRecordIsExplainedOrMissing() throws Exception {
        // Offsets 0 and 1, and the end of their transaction; 3 is aborted, which ends at 4.
        commit(input(0), input(1));
        producer.beginTransaction();
        producer.send(input(3));
        producer.flush();
        producer.abortTransaction();
        // Offsets 5 to 11, and the end at 12; 13 has not been read yet.
        commit(input(5), input(6), input(7), input(8), input(9), input(10), input(11));
        commit(input(13));
        commit(recorded(0), recorded(1), recorded(5), recorded(9));
        commit(underWay(5), underWay(6), underWay(8));
        commit(parked("a", 7L), parked("b", 9L), parked("b", null));
        commit(internal(10));
        commit(head(chain.get(3)));
        committed(names.wire(), 13);
        // What was under way before has been recorded.
        committed(repartition, 1);

        VerificationSummary verificationSummary = verify();

        assertThat(faults).containsExactly("INPUT_MISSING " + names.wire() + "-0@11");
        assertThat(verificationSummary.faults()).isEqualTo(1);
        assertThat(verificationSummary.isSound()).isFalse();
        assertThat(verificationSummary.records()).isEqualTo(4);
        assertThat(verificationSummary.chains()).isEqualTo(1);
        assertThat(verificationSummary.heads()).isEqualTo(1);
        // 6 and 8 between the stages, 13 and the end of its transaction beyond the place.
        assertThat(verificationSummary.inputs()).isEqualTo(new VerificationSummary.Unrecorded(2 + 2, 1, 1, 0, 0, 0));
        assertThat(done).isEqualTo(total).isEqualTo(5);

        commit(recorded(11));
        assertThat(verify().isSound()).isTrue();
        assertThat(faults).isEmpty();
    }

    @Test
    void inputsAsOldAsExpiredAuditRecordsAreNotMissing() throws Exception {
        commit(input(0), input(1), input(2), input(3));
        commit(recorded(0), recorded(1), recorded(3));
        committed(names.wire(), 4);
        assertThat(verify().isSound()).isFalse();
        assertThat(faults).containsExactly("INPUT_MISSING " + names.wire() + "-0@2");

        admin.deleteRecords(Map.of(new TopicPartition(names.audit(), 0), RecordsToDelete.beforeOffset(2)))
                .all()
                .get();
        VerificationSummary verificationSummary = verify();

        assertThat(faults).isEmpty();
        assertThat(verificationSummary.begunLate()).isEqualTo(1);
        assertThat(verificationSummary.inputs().expired()).isEqualTo(3);
    }

    private void journaled(int records) throws Exception {
        journal = new Journal(0, null);
        for (int offset = 0; offset < records; offset++) {
            commit(input(offset), recorded(2L * offset));
        }
        committed(names.wire(), 2L * records);
        commit(signedHead(chain.get(records - 1)), manifest());
        assertThat(verify(trusted, StoredManifests.NONE).isSound())
                .as("%s", faults)
                .isTrue();
    }

    @Test
    void tombstonedHeadIsMissingWithTheKeyAndVisibleWithoutIt() throws Exception {
        journaled(3);
        commit(new ProducerRecord<>(names.auditHead(), 0, CHAIN.getBytes(UTF_8), null));
        verify();
        assertThat(faults).containsExactly("HEAD_REMOVED " + names.auditHead() + "-0@2");

        // What compaction leaves of a tombstone: nothing.
        admin.deleteRecords(Map.of(new TopicPartition(names.auditHead(), 0), RecordsToDelete.beforeOffset(4)))
                .all()
                .get();
        verify(trusted, StoredManifests.NONE);
        assertThat(faults).containsExactly("HEAD_MISSING " + names.audit() + "-0@4");
    }

    @Test
    void replayedSignedHeadOverATruncatedChainIsDetected() throws Exception {
        ProducerRecord<byte[], byte[]> old = null;
        journal = new Journal(0, null);
        for (int offset = 0; offset < 3; offset++) {
            commit(input(offset));
            ProducerRecord<byte[], byte[]> record = recorded(2L * offset);
            if (offset < 2) {
                // The topic lacks the third record, as after an attacker replaced it.
                commit(record);
                old = signedHead(chain.get(offset));
            }
        }
        committed(names.wire(), 4);
        commit(signedHead(chain.get(2)), manifest());
        commit(old);
        verify(trusted, StoredManifests.NONE);
        assertThat(faults)
                .containsExactlyInAnyOrder(
                        "HEAD_REPLAYED " + names.auditHead() + "-0@2",
                        "TAIL_CUT " + names.audit() + "-0@2",
                        "JOURNAL_CUT journal-0@2");

        admin.deleteRecords(Map.of(new TopicPartition(names.auditHead(), 0), RecordsToDelete.beforeOffset(2)))
                .all()
                .get();
        verify(trusted, StoredManifests.NONE);
        assertThat(faults).as("compacted").contains("JOURNAL_CUT journal-0@2");
    }

    @Test
    void rewrittenTrailDoesNotContinueAPrintedManifest() throws Exception {
        journaled(3);
        Path stored = directory.resolve("manifests.jsonl");
        try (TopicExport latest = new TopicExport(clients(), names, serdes, NOBODY);
                JsonGenerator json = new JsonFactory().createGenerator(stored.toFile(), JsonEncoding.UTF8)) {
            for (AuditManifest manifest : latest.latestManifests()) {
                AvroJson.write(json, manifest);
            }
        }
        StoredManifests since = StoredManifests.read(stored);
        commit(input(3), recorded(6));
        committed(names.wire(), 8);
        commit(signedHead(chain.get(3)), manifest());
        assertThat(verify(trusted, since).isSound()).as("%s", faults).isTrue();

        for (String topic : List.of(names.audit(), names.auditHead(), names.auditManifest())) {
            admin.deleteTopics(List.of(topic)).all().get();
        }
        await().untilAsserted(() -> assertThat(admin.listTopics().names().get())
                .doesNotContain(names.audit(), names.auditHead(), names.auditManifest()));
        await().ignoreExceptions()
                .untilAsserted(() -> admin.createTopics(
                                Stream.of(names.audit(), names.auditHead(), names.auditManifest())
                                        .map(name -> new NewTopic(name, 1, (short) 1))
                                        .toList())
                        .all()
                        .get());
        chain.clear();
        published = null;
        journal = new Journal(0, null);
        List<Long> order = List.of(2L, 0L, 4L, 6L);
        for (long offset : order) {
            commit(recorded(offset));
        }
        commit(signedHead(chain.get(3)), manifest());
        assertThat(verify(trusted, StoredManifests.NONE).isSound())
                .as("whoever has the key")
                .isTrue();
        verify(trusted, since);
        assertThat(faults).containsExactly("NOT_CONTINUED manifests.jsonl:1");
    }

    /** The journal begins later; the first manifest from there on anchors it. */
    @Test
    void remainderOfAJournalAfterRetentionVerifies() throws Exception {
        journal = new Journal(0, null);
        for (int offset = 0; offset < 6; offset++) {
            commit(input(offset), recorded(2L * offset));
            if (offset % 2 == 1) {
                commit(signedHead(chain.get(offset)), manifest());
            }
        }
        committed(names.wire(), 12);
        admin.deleteRecords(Map.of(new TopicPartition(names.audit(), 0), RecordsToDelete.beforeOffset(6)))
                .all()
                .get();
        VerificationSummary verificationSummary = verify(trusted, StoredManifests.NONE);
        assertThat(faults).isEmpty();
        assertThat(verificationSummary.records()).isEqualTo(3);
        assertThat(verificationSummary.manifests()).isEqualTo(3);
    }

    @Test
    void unreadableValuesAreFaultsWithTheirLocationInEveryTopic() throws Exception {
        ProducerRecord<byte[], byte[]> link = recorded(0);
        commit(input(0), link);
        committed(names.wire(), 2);
        journal = new Journal(0, null);
        for (ProducerRecord<byte[], byte[]> valid :
                List.of(link, head(chain.get(0)), manifest(), underWay(0), parked("a", 0L))) {
            byte[] value = valid.value();
            commit(new ProducerRecord<>(valid.topic(), 0, valid.key(), Arrays.copyOf(value, value.length - 1)));
        }
        verify();
        assertThat(faults)
                .containsExactlyInAnyOrder(
                        "UNREADABLE " + names.audit() + "-0@2",
                        "UNREADABLE " + names.auditHead() + "-0@0",
                        "UNREADABLE " + names.auditManifest() + "-0@0",
                        "UNREADABLE " + repartition + "-0@0",
                        "UNREADABLE " + parkedChangelog + "-0@0");

        List<String> unreadable = new ArrayList<>();
        ProgressListener progressListener = new ProgressListener() {
            @Override
            public void found(AuditFault auditFault) {
                unreadable.add(auditFault.code() + " " + auditFault.location());
            }

            @Override
            public void progress(long so, long of) {
                // Not looked at.
            }
        };
        try (TopicExport export = new TopicExport(clients(), names, serdes, progressListener)) {
            Exporter.Written written =
                    export.run(TopicExport.Selection.EVERYTHING, ExportFormat.JSONL, new ByteArrayOutputStream(), NOON);
            assertThat(written.records()).isEqualTo(1);
        }
        assertThat(unreadable)
                .containsExactlyInAnyOrder(
                        "UNREADABLE " + names.audit() + "-0@2",
                        "UNREADABLE " + names.auditHead() + "-0@0",
                        "UNREADABLE " + names.auditManifest() + "-0@0");
        assertThat(AuditRecordLookup.find(clients(), topics.audit(), CHAIN, 0, (done, total) -> {}))
                .isPresent();
    }

    @Test
    void changedRecordsAreFaultsWithTheirLocation() {
        ProducerRecord<byte[], byte[]> first = recorded(0);
        ProducerRecord<byte[], byte[]> second = recorded(1);
        commit(first, second, second);
        commit(new ProducerRecord<>(names.audit(), 0, new byte[] {1}, new byte[] {1, 2, 3}));
        commit(new ProducerRecord<>(names.audit(), 0, CHAIN.getBytes(UTF_8), null));
        commit(new ProducerRecord<>(
                names.audit(), 0, "other".getBytes(UTF_8), recorded(2).value()));
        AuditRecord last = chain.get(2);
        commit(head(last));
        last.setSequence(9L);
        commit(head(last));

        verify();

        assertThat(faults)
                .containsExactly(
                        "RECORD_REPEATED " + names.audit() + "-0@2",
                        "UNREADABLE " + names.audit() + "-0@4",
                        "UNREADABLE " + names.audit() + "-0@6",
                        "KEY_CHANGED " + names.audit() + "-0@8",
                        "TAIL_CUT " + names.audit() + "-0@8");
    }
}
