package dev.parley.cli.verify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Inbound;
import dev.parley.avro.ParkedPatch;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.cli.export.AuditRecordLookup;
import dev.parley.cli.export.TopicExport;
import dev.parley.codec.Limits;
import dev.parley.log.AuditFault;
import dev.parley.log.KeyFiles;
import dev.parley.log.LogNoteReader;
import dev.parley.log.TrustedKey;
import dev.parley.log.export.ExportFormat;
import dev.parley.log.export.Exporter;
import dev.parley.log.export.ProgressListener;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.log.tlog.SignedNote;
import dev.parley.log.tlog.WitnessPolicy;
import dev.parley.log.verify.StoredHeads;
import dev.parley.log.verify.VerificationSummary;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.testing.SharedCluster;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.MacProducerInterceptor;
import dev.parley.topology.kafka.RecordMac;
import dev.parley.topology.pipeline.PipelineStores;
import dev.parley.topology.topics.InputTopics;
import dev.parley.topology.topics.Topics;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
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
    private static final String ORIGIN = "example.com/audit";
    private final NoteSigner key = NoteSigner.of(ORIGIN, KeyFiles.newPair());
    private String topic = names.wire();
    private Instant now = NOON.plusSeconds(86_400);
    private PublishedLog log;
    private WitnessPolicy policy = WitnessPolicy.NONE;
    private Optional<RecordMac> codes = Optional.empty();
    private long done;
    private long total;

    @BeforeEach
    void open() throws Exception {
        serdes = AvroSerdes.fromConfig(Map.of("schema.registry.url", "mock://" + UUID.randomUUID()));
        topics = new Topics(names, serdes);
        log = new PublishedLog(ORIGIN, List.of(key), topics);
        admin = Admin.create(clients());
        admin.createTopics(Stream.of(
                                names.wire(),
                                names.audit(),
                                names.auditHead(),
                                names.auditTile(),
                                names.deadLetters(Stage.INTERNAL),
                                repartition,
                                parkedChangelog)
                        .map(name -> new NewTopic(name, 1, (short) 1))
                        .toList())
                .all()
                .get();
        producer = SharedCluster.transactionalProducer(application);
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
        return new Source(topic, 0, offset, NOON, null);
    }

    /** The next link of the chain. */
    private ProducerRecord<byte[], byte[]> recorded(long offset) {
        AuditRecord before = chain.isEmpty() ? null : chain.get(chain.size() - 1);
        AuditRecord link = log.append(CHAIN, before, source(offset), "input " + offset);
        chain.add(link);
        return record(link);
    }

    private ProducerRecord<byte[], byte[]> record(AuditRecord link) {
        long offset = link.getSource().getOffset();
        return new ProducerRecord<>(
                names.audit(),
                0,
                NOON.plusSeconds(offset).toEpochMilli(),
                CHAIN.getBytes(UTF_8),
                topics.audit().write(link));
    }

    /** Publishes the log as it is. */
    private AuditHead publish() {
        log.publish(NOON).forEach(this::commit);
        return log.head(NOON);
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
                NOON.toEpochMilli(),
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
        return verify(StoredHeads.NONE, StoredHeads.NONE);
    }

    private StoredHeads stored(AuditHead head) throws Exception {
        return StoredHeads.read(Files.writeString(directory.resolve("head"), head.getNote()));
    }

    private VerificationSummary verify(StoredHeads since, StoredHeads expired) {
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
                new AuditedPipeline(
                        application,
                        InputTopics.of(new ParleyConfig(Map.of("topics.prefix", names.prefix())))
                                .sources(),
                        Limits.DEFAULT,
                        codes),
                new LogNoteReader(policy, TrustedKey.present(List.of(key.verifierKey()))),
                InstantSource.fixed(now),
                progressListener)) {
            return verification.run(since, expired, Optional.empty());
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
        publish();
        committed(names.wire(), 13);
        // What was under way before has been recorded.
        committed(repartition, 1);

        VerificationSummary verificationSummary = verify();

        assertThat(faults).containsExactly("INPUT_MISSING " + names.wire() + "-0@11");
        assertThat(verificationSummary.faults()).isEqualTo(1);
        assertThat(verificationSummary.isSound()).isFalse();
        assertThat(verificationSummary.records()).isEqualTo(4);
        assertThat(verificationSummary.chains()).isEqualTo(1);
        assertThat(verificationSummary.coverage()).isEqualTo(new VerificationSummary.Coverage(4, 0, 0, 1, 1, NOON));
        assertThat(verificationSummary.compared()).isEqualTo(new VerificationSummary.Compared(4, 0));
        // 6 and 8 between the stages, 13 and the end of its transaction beyond the place.
        assertThat(verificationSummary.inputs()).isEqualTo(new VerificationSummary.Unrecorded(2 + 2, 1, 1, 0, 0, 0));
        assertThat(done).isEqualTo(total).isEqualTo(5);

        commit(recorded(11));
        publish();
        assertThat(verify().isSound()).as("%s", faults).isTrue();
        assertThat(faults).isEmpty();
    }

    @Test
    void recordsOfAnotherClientExplainNoInput() throws Exception {
        RecordMac mac = new RecordMac(application, Set.of(), names.redaction(), List.of(new byte[] {1}));
        codes = Optional.of(mac);
        MacProducerInterceptor interceptor = new MacProducerInterceptor();
        interceptor.configure(Map.of(RecordMac.CONFIG, mac));
        commit(input(0), input(1), input(2), input(3), input(4));
        commit(recorded(0));
        commit(underWay(1), parked("a", 2L), parked("c", 4L));
        commit(interceptor.onSend(underWay(3)), interceptor.onSend(parked("b", 4L)), parked("b", null));
        publish();
        committed(names.wire(), 5);

        VerificationSummary summary = verify();

        assertThat(faults)
                .containsExactly("INPUT_MISSING " + names.wire() + "-0@1", "INPUT_MISSING " + names.wire() + "-0@2");
        assertThat(summary.inputs()).isEqualTo(new VerificationSummary.Unrecorded(1 + 1, 1, 0, 0, 0, 0));
    }

    @Test
    void impossiblePositionsExplainNoInput() throws Exception {
        commit(input(0), input(1));
        commit(recorded(0));
        commit(internal(Long.MAX_VALUE), underWay(-1), underWay(1L << 62), parked("a", -1L), parked("b", 1L << 62));
        publish();
        committed(names.wire(), 2);
        verify();
        assertThat(faults).containsExactly("INPUT_MISSING " + names.wire() + "-0@1");
    }

    @Test
    void expiredAuditRecordsMustBeAcceptedAndExplainAsManyInputs() throws Exception {
        commit(input(0), input(1), input(2), input(3));
        commit(recorded(0), recorded(1));
        AuditHead before = publish();
        commit(recorded(3));
        publish();
        committed(names.wire(), 4);
        verify();
        assertThat(faults).containsExactly("INPUT_MISSING " + names.wire() + "-0@2");

        admin.deleteRecords(Map.of(new TopicPartition(names.audit(), 0), RecordsToDelete.beforeOffset(2)))
                .all()
                .get();
        verify();
        assertThat(faults).containsExactly("LOG_OMITTED ", "INPUT_MISSING " + names.wire() + "-0@2");

        VerificationSummary accepted = verify(StoredHeads.NONE, stored(before));
        assertThat(faults).containsExactly("INPUT_MISSING " + names.wire() + "-0@2");
        assertThat(accepted.begunLate()).isEqualTo(1);
        assertThat(accepted.inputs().expired()).isEqualTo(2);
        assertThat(accepted.coverage().omitted()).isEqualTo(2);
    }

    @Test
    void expiredInputsAreCounted() throws Exception {
        commit(input(0), input(1), input(2));
        commit(recorded(0), recorded(1), recorded(2));
        publish();
        committed(names.wire(), 4);
        admin.deleteRecords(Map.of(new TopicPartition(names.wire(), 0), RecordsToDelete.beforeOffset(2)))
                .all()
                .get();
        VerificationSummary summary = verify();
        assertThat(faults).isEmpty();
        assertThat(summary.compared()).isEqualTo(new VerificationSummary.Compared(1, 2));
    }

    @Test
    void anAuditRecordWithoutItsInputIsForged() throws Exception {
        commit(input(0));
        producer.beginTransaction();
        producer.send(input(2));
        producer.flush();
        producer.abortTransaction();
        commit(input(4));
        // The end of a transaction, an aborted record, an offset after the end, and another topic.
        commit(recorded(0), recorded(1), recorded(2), recorded(999_999));
        topic = "no-such-topic";
        commit(recorded(7));
        publish();
        committed(names.wire(), 6);
        verify();
        assertThat(faults)
                .contains(
                        "INPUT_UNKNOWN " + names.audit() + "-0@1",
                        "INPUT_UNKNOWN " + names.audit() + "-0@2",
                        "INPUT_UNKNOWN " + names.audit() + "-0@3",
                        "INPUT_UNKNOWN " + names.audit() + "-0@5");
    }

    @Test
    void anInputWithAnotherPayloadThanItsAuditRecordIsFound() throws Exception {
        commit(input(0), input(7), input(2));
        commit(recorded(0), recorded(1), recorded(2));
        publish();
        committed(names.wire(), 4);
        verify();
        assertThat(faults).containsExactly("INPUT_CHANGED " + names.audit() + "-0@1");
    }

    @Test
    void theDataOfAnEventIsItsPayload() throws Exception {
        ProducerRecord<byte[], byte[]> event = new ProducerRecord<>(
                names.wire(),
                0,
                NOON.toEpochMilli(),
                null,
                "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"a\",\"type\":\"t\",\"data\":\"input 0\"}"
                        .getBytes(UTF_8));
        event.headers().add("content-type", "application/cloudevents+json".getBytes(UTF_8));
        commit(event);
        commit(recorded(0));
        publish();
        committed(names.wire(), 2);
        verify();
        assertThat(faults).isEmpty();
    }

    @Test
    void onlyYoungRecordsNeedNoHead() throws Exception {
        commit(input(0), input(1));
        commit(recorded(0));
        publish();
        commit(recorded(1));
        committed(names.wire(), 3);
        now = NOON.plusSeconds(60);
        assertThat(verify().coverage().uncovered()).isEqualTo(1);
        assertThat(faults).isEmpty();
        now = NOON.plusSeconds(1_000);
        verify();
        assertThat(faults).containsExactly("NOT_COVERED ");
        now = NOON.minusSeconds(1_000);
        verify();
        assertThat(faults).as("dated in the future").containsExactly("NOT_COVERED ");
    }

    /** A patch may have been parked, so that its record is much younger than its input. */
    @Test
    void onlyTheRecordOfAPatchMayBeYoungerThanItsInput() throws Exception {
        commit(input(0), input(1));
        commit(recorded(0));
        publish();
        committed(names.wire(), 3);
        now = NOON.plusSeconds(3_600);
        ProducerRecord<byte[], byte[]> late = recorded(1);
        long time = now.minusSeconds(1).toEpochMilli();
        commit(new ProducerRecord<>(late.topic(), 0, time, late.key(), late.value()));
        verify();
        assertThat(faults).containsExactly("NOT_COVERED ");
    }

    @Test
    void theRecordOfAReleasedPatchNeedsNoHeadYet() throws Exception {
        commit(input(0));
        committed(names.wire(), 2);
        now = NOON.plusSeconds(3_600);
        publish();
        AuditRecord patch = log.append("default|CSP|build", null, source(0), "input 0");
        commit(new ProducerRecord<>(
                names.audit(),
                0,
                now.minusSeconds(1).toEpochMilli(),
                patch.getChain().getBytes(UTF_8),
                topics.audit().write(patch)));
        assertThat(verify().coverage().uncovered()).isEqualTo(1);
        assertThat(faults).isEmpty();
    }

    private void createTopicWithTimesOfTheBroker() throws Exception {
        topic = names.wire() + ".slip";
        admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1)
                        .configs(Map.of(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime"))))
                .all()
                .get();
    }

    /** An insider dates the record of a real input back. */
    @Test
    void everyRecordHasTheTimeOfItsInput() throws Exception {
        createTopicWithTimesOfTheBroker();
        AuditRecord before = null;
        now = Instant.now();
        for (long offset = 0; offset < 3; offset++) {
            producer.beginTransaction();
            long received = producer.send(new ProducerRecord<>(topic, ("input " + offset).getBytes(UTF_8)))
                    .get()
                    .timestamp();
            producer.commitTransaction();
            Instant time = offset == 1 ? NOON : Instant.ofEpochMilli(received);
            before = log.append(CHAIN, before, new Source(topic, 0, 2 * offset, time, null), "input " + offset);
            commit(record(before));
        }
        log.publish(now).forEach(this::commit);
        committed(topic, 6);
        verify();
        assertThat(faults)
                .containsExactly("TIME_REVERSED " + names.audit() + "-0@2", "INPUT_CHANGED " + names.audit() + "-0@2");
    }

    /** An insider gives a record the position of an input that has expired, which nothing can disprove by itself. */
    @Test
    void anExpiredInputAfterThoseThatExistIsFound() throws Exception {
        commit(input(0), input(1), input(2), input(3));
        commit(recorded(1), recorded(2), recorded(0), recorded(3));
        publish();
        committed(names.wire(), 5);
        admin.deleteRecords(Map.of(new TopicPartition(names.wire(), 0), RecordsToDelete.beforeOffset(2)))
                .all()
                .get();
        verify();
        assertThat(faults).containsExactly("INPUT_UNKNOWN " + names.audit() + "-0@2");
    }

    /** A writer of the audit topic must not be able to date its records so that no head needs to cover them. */
    @Test
    void aRecordThatClaimsToBeYoungerThanItsInputIsFound() throws Exception {
        createTopicWithTimesOfTheBroker();
        commit(new ProducerRecord<>(topic, "input 0".getBytes(UTF_8)));
        committed(topic, 2);
        publish();
        now = Instant.now().plusSeconds(3_600);
        AuditRecord forged = log.append(CHAIN, null, new Source(topic, 0, 0L, now.minusSeconds(1), null), "input 0");
        commit(record(forged));
        verify();
        assertThat(faults).containsExactly("INPUT_CHANGED " + names.audit() + "-0@0");

        admin.deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(2)))
                .all()
                .get();
        verify();
        assertThat(faults).as("an input that has expired is not young").containsExactly("NOT_COVERED ");
    }

    @Test
    void aDeletedHeadIsReported() throws Exception {
        commit(input(0));
        commit(recorded(0));
        publish();
        committed(names.wire(), 2);
        commit(new ProducerRecord<>(names.auditHead(), 0, ORIGIN.getBytes(UTF_8), null));
        verify();
        assertThat(faults).containsExactly("HEAD_REMOVED " + names.auditHead() + "-0@4");
    }

    @Test
    void withWitnessesOnlyTheHeadsOfTheTopicOfCosignedHeadsCoverRecords() throws Exception {
        NoteSigner witness = NoteSigner.cosigner("w1", KeyFiles.newPair());
        policy = new WitnessPolicy(List.of(witness.verifierKey()), 1);
        commit(input(0), input(1));
        commit(recorded(0));
        AuditHead first = publish();
        commit(recorded(1));
        publish();
        committed(names.wire(), 3);
        verify();
        assertThat(faults).singleElement().asString().startsWith("NOT_COVERED");

        SignedNote note = SignedNote.parse(first.getNote().getBytes(StandardCharsets.UTF_8));
        AuditHead cosigned = AuditHead.newBuilder(first)
                .setNote(note.with(witness.cosign(note.text(), 1)).toString())
                .build();
        admin.createTopics(List.of(new NewTopic(names.auditCosignature(), 1, (short) 1)))
                .all()
                .get();
        commit(new ProducerRecord<>(
                names.auditCosignature(), topics.auditCosignature().write(cosigned)));
        verify();
        assertThat(faults).singleElement().asString().startsWith("NOT_COVERED");
        now = NOON.plusSeconds(1);
        verify();
        assertThat(faults).isEmpty();
    }

    @Test
    void aReplayedHeadOverATruncatedLogIsFound() throws Exception {
        commit(input(0), input(1));
        commit(recorded(0));
        AuditHead old = publish();
        recorded(1);
        AuditHead last = publish();
        commit(log.record(old));
        committed(names.wire(), 3);
        verify();
        assertThat(faults).hasSize(3).anyMatch(fault -> fault.startsWith("HEAD_REPLAYED"));
        assertThat(faults).anyMatch(fault -> fault.startsWith("LOG_CUT"));
        assertThat(faults).contains("INPUT_MISSING " + names.wire() + "-0@1");
        assertThat(last.getSize()).isEqualTo(2);
    }

    @Test
    void aTrailThatDoesNotContinueAStoredHeadIsFound() throws Exception {
        PublishedLog first = log;
        commit(input(0), input(1));
        recorded(0);
        AuditHead stored = first.head(NOON);
        log = new PublishedLog(ORIGIN, List.of(key), topics);
        chain.clear();
        commit(recorded(1), recorded(0));
        publish();
        committed(names.wire(), 3);
        verify();
        assertThat(faults).as("with any key").isEmpty();
        verify(stored(stored), StoredHeads.NONE);
        assertThat(faults).containsExactly("NOT_CONTINUED head:1");
    }

    @Test
    void unreadableValuesAreFaultsWithTheirLocationInEveryTopic() throws Exception {
        ProducerRecord<byte[], byte[]> link = recorded(0);
        commit(input(0), link);
        committed(names.wire(), 2);
        publish();
        for (ProducerRecord<byte[], byte[]> valid :
                List.of(link, log.record(log.head(NOON)), underWay(0), parked("a", 0L))) {
            byte[] value = valid.value();
            commit(new ProducerRecord<>(valid.topic(), 0, valid.key(), Arrays.copyOf(value, value.length - 1)));
        }
        verify();
        assertThat(faults)
                .containsExactlyInAnyOrder(
                        "UNREADABLE " + names.audit() + "-0@2",
                        "UNREADABLE " + names.auditHead() + "-0@4",
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
        try (TopicExport export = new TopicExport(clients(), names, serdes, LogNoteReader.ofAll(), progressListener)) {
            Exporter.Written written = export.run(
                    TopicExport.Selection.EVERYTHING,
                    Optional.empty(),
                    ExportFormat.JSONL,
                    new ByteArrayOutputStream(),
                    NOON);
            assertThat(written.records()).isEqualTo(1);
        }
        assertThat(unreadable)
                .containsExactlyInAnyOrder(
                        "UNREADABLE " + names.audit() + "-0@2", "UNREADABLE " + names.auditHead() + "-0@4");
        assertThat(AuditRecordLookup.find(clients(), topics.audit(), CHAIN, 0, (done, total) -> {}))
                .isPresent();
    }

    @Test
    void changedRecordsAreFaultsWithTheirLocation() throws Exception {
        commit(input(0), input(1), input(2));
        ProducerRecord<byte[], byte[]> first = recorded(0);
        ProducerRecord<byte[], byte[]> second = recorded(1);
        commit(first, second, second);
        commit(new ProducerRecord<>(names.audit(), 0, new byte[] {1}, new byte[] {1, 2, 3}));
        commit(new ProducerRecord<>(names.audit(), 0, CHAIN.getBytes(UTF_8), null));
        commit(new ProducerRecord<>(
                names.audit(), 0, "other".getBytes(UTF_8), recorded(2).value()));
        publish();
        committed(names.wire(), 4);

        verify();

        assertThat(faults)
                .containsExactly(
                        "RECORD_REPEATED " + names.audit() + "-0@2",
                        "UNREADABLE " + names.audit() + "-0@4",
                        "UNREADABLE " + names.audit() + "-0@6",
                        "KEY_CHANGED " + names.audit() + "-0@8");
    }
}
