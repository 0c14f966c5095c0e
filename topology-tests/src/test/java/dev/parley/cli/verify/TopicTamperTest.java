package dev.parley.cli.verify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.audit.Links;
import dev.parley.audit.Redactions;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.AuditTile;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.checkpoint.MemoryStore;
import dev.parley.codec.Limits;
import dev.parley.json.ApiJson;
import dev.parley.log.AuditFault;
import dev.parley.log.AuditLog;
import dev.parley.log.FaultCode;
import dev.parley.log.KeyFiles;
import dev.parley.log.LogNoteReader;
import dev.parley.log.LogNotes;
import dev.parley.log.Trail;
import dev.parley.log.TrustedKey;
import dev.parley.log.export.ProgressListener;
import dev.parley.log.tlog.MerkleHasher;
import dev.parley.log.tlog.NoteSignature;
import dev.parley.log.tlog.NoteSigner;
import dev.parley.log.tlog.WitnessPolicy;
import dev.parley.log.verify.StoredHeads;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.testing.NewTopicProducers;
import dev.parley.testing.SharedCluster;
import dev.parley.topology.topics.Topics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that every change of the audit topics is found. {@code TamperMatrixTest} does the same for exports. */
@Tag("long")
class TopicTamperTest {
    private static final int LENGTH = 12;
    private static final List<String> CHAINS = List.of("default|CSP|x", "default|SLIP|1", "default|SLIP|2");
    private static final String ONE = CHAINS.get(1);
    private static final NoteSigner KEY = Trail.key();

    /** The time of the verifications, when the inputs are old. */
    private static final Instant NOW = Instant.now().plus(Duration.ofDays(1));

    private static final NoteSigner WITNESS = NoteSigner.cosigner("w1", KeyFiles.newPair());

    /** The times of the broker for the inputs, by partition and offset. */
    private static final List<Instant> RECEIVED = new ArrayList<>();

    /** Names of the inputs, which all tests share. */
    private static final TopicNames INPUTS = SharedCluster.newDeployment();

    @TempDir
    private static Path directory;

    private static Admin admin;
    private static KafkaProducer<byte[], byte[]> producer;
    private static AvroSerdes serdes;

    /** The audit topics, which an attacker changes. */
    private static final class Trailed {
        private final Trail trail = Trail.of(KEY, Map.of(CHAINS.get(0), 1, CHAINS.get(1), 0, CHAINS.get(2), 0), LENGTH);
        private final List<AuditRecord> records;
        private final List<AuditHead> notes;
        private final Map<String, AuditTile> tiles = new HashMap<>();
        private long expired;
        private boolean acceptsExpired;
        private List<AuditHead> since = List.of();
        private Optional<AuditHead> cosigned = Optional.empty();
        private Instant recorded;

        Trailed() {
            trail.records.forEach(link -> {
                Source source = link.getSource();
                source.setTopic(INPUTS.wire());
                source.setTimestamp(RECEIVED.get(source.getPartition() * LENGTH + (int) (long) source.getOffset()));
            });
            trail.reseal();
            records = new ArrayList<>(trail.records);
            notes = new ArrayList<>(trail.notes());
            for (int partition = 0; partition < 2; partition++) {
                MemoryStore<byte[]> store = new MemoryStore<>();
                AuditLog log = new AuditLog(partition, store);
                trail.log(partition).forEach(link -> log.append(link.getHash()));
                AuditLog.publishCompleted(partition, store, this::add);
                log.publishEdge(this::add);
            }
        }

        private void add(AuditTile tile) {
            tiles.put(AuditLog.tileKey(tile.getPartition(), tile.getLevel(), tile.getIndex()), tile);
        }

        AuditRecord record(int sequence) {
            return trail.chain(ONE).get(sequence);
        }

        void rewrite(int sequence, Consumer<AuditRecord> change) {
            change.accept(record(sequence));
            trail.reseal();
        }

        /** Adds a record at the end of its chain and of log 0. */
        AuditRecord forge(Consumer<AuditRecord> change) {
            AuditRecord forged = Links.unhashed(ONE, LENGTH, record(LENGTH - 1).getHash());
            forged.getSource().setTopic(INPUTS.wire());
            forged.getSource().setPartition(1);
            forged.getSource().setOffset((long) LENGTH);
            change.accept(forged);
            trail.append(0, forged);
            records.add(Links.sealed(forged));
            return forged;
        }

        AuditRecord redact(int sequence) {
            AuditRecord original = record(sequence);
            AuditRecord copy = Redactions.redact(original, Links.redactionOf(original));
            copy.setSource(Source.newBuilder(original.getSource()).build());
            records.set(records.indexOf(original), copy);
            return copy;
        }

        /** Replaces statement and heads by those of other sizes. */
        void cutBack(int size0, int size1) {
            notes.set(0, trail.statement(KEY, 2, Map.of(0, size0, 1, size1)));
            notes.set(1, trail.head(0, size0));
            notes.set(2, trail.head(1, size1));
        }

        /** Dates the records of log 0 from an index on. */
        void date(int from, Instant time) {
            recorded = time;
            trail.log(0).stream().skip(from).forEach(link -> link.getSource().setTimestamp(time));
        }

        void remove(int partition, int from, int to) {
            records.removeIf(link -> link.getLog().getPartition() == partition
                    && link.getLog().getIndex() >= from
                    && link.getLog().getIndex() < to);
        }

        /** The first records of the topic expire, among them the first nine of log 0. */
        void expire() {
            expired = 14;
        }
    }

    private static Arguments row(String what, FaultCode code, Consumer<Trailed> change) {
        return Arguments.of(what, code, change);
    }

    private static void accept(AuditRecord link) {
        link.setVerdict(Verdict.ACCEPTED.name());
        link.setStage(Stage.NONE.name());
        link.setCode(null);
    }

    private static void flip(ByteBuffer bytes) {
        bytes.put(0, (byte) (bytes.get(0) ^ 1));
    }

    static Stream<Arguments> changes() {
        return Stream.of(
                row(
                        "a byte of a payload",
                        FaultCode.PAYLOAD_CHANGED,
                        topics -> flip(topics.record(5).getMessage().getRaw())),
                row(
                        "a letter of a sentence",
                        FaultCode.CONTENT_CHANGED,
                        topics -> topics.record(5).setDetail("another")),
                row(
                        "a changed leaf",
                        FaultCode.RECORD_CHANGED,
                        topics -> flip(topics.record(5).getHash())),
                row("a verdict alone", FaultCode.RECORD_CHANGED, topics -> accept(topics.record(4))),
                row("a verdict with its hash", FaultCode.LINK_BROKEN, topics -> {
                    accept(topics.record(4));
                    Links.sealed(topics.record(4));
                }),
                row(
                        "a verdict with all hashes",
                        FaultCode.HEAD_MISMATCH,
                        topics -> topics.rewrite(4, TopicTamperTest::accept)),
                row("verdicts without the head of their log", FaultCode.LOG_MISSING, topics -> {
                    topics.rewrite(4, TopicTamperTest::accept);
                    topics.notes.remove(1);
                }),
                row("a removed record", FaultCode.RECORD_MISSING, topics -> topics.records.remove(topics.record(5))),
                row("a removed record of the log", FaultCode.LOG_GAP, topics -> topics.remove(0, 9, 10)),
                row("a removed record, its input", FaultCode.INPUT_MISSING, topics -> topics.remove(0, 9, 10)),
                row("a removed record, the later ones renumbered", FaultCode.LOG_CUT, topics -> {
                    AuditRecord removed = topics.record(5);
                    topics.records.remove(removed);
                    topics.trail.records.remove(removed);
                    topics.trail.log(0).stream()
                            .filter(link ->
                                    link.getLog().getIndex() > removed.getLog().getIndex())
                            .forEach(
                                    link -> link.getLog().setIndex(link.getLog().getIndex() - 1));
                    topics.trail.chain(ONE).stream()
                            .filter(link -> link.getSequence() > removed.getSequence())
                            .forEach(link -> link.setSequence(link.getSequence() - 1));
                    topics.trail.reseal();
                }),
                row(
                        "two swapped records",
                        FaultCode.RECORD_MOVED,
                        topics -> Collections.swap(
                                topics.records,
                                topics.records.indexOf(topics.record(5)),
                                topics.records.indexOf(topics.record(6)))),
                row("a repeated record", FaultCode.RECORD_REPEATED, topics -> topics.records.add(topics.record(5))),
                row("a truncated log", FaultCode.LOG_CUT, topics -> topics.remove(0, 20, 2 * LENGTH)),
                row("a log without records", FaultCode.LOG_CUT, topics -> topics.remove(1, 0, LENGTH)),
                row("a missing partition", FaultCode.LOG_MISSING, topics -> {
                    topics.remove(1, 0, LENGTH);
                    topics.notes.remove(2);
                }),
                row("a log replaced by its first head", FaultCode.LOG_CUT, topics -> {
                    topics.notes.set(2, topics.trail.head(1, 0));
                    topics.remove(1, 0, LENGTH);
                }),
                row("a log and its head replaced by an older head", FaultCode.LOG_CUT, topics -> {
                    topics.notes.set(1, topics.trail.head(0, 20));
                    topics.remove(0, 20, 2 * LENGTH);
                }),
                row("all logs empty", FaultCode.LOG_CUT, topics -> {
                    topics.notes.set(1, topics.trail.head(0, 0));
                    topics.notes.set(2, topics.trail.head(1, 0));
                    topics.records.clear();
                }),
                row("an older statement replayed, and a log cut", FaultCode.LOG_CUT, topics -> {
                    topics.notes.add(topics.trail.statement(KEY, 2, Map.of(0, 20)));
                    topics.notes.set(1, topics.trail.head(0, 20));
                    topics.remove(0, 20, 2 * LENGTH);
                }),
                row(
                        "another time of the statement",
                        FaultCode.HEAD_MALFORMED,
                        topics -> topics.notes.get(0).setTime(Instant.parse("2099-01-01T00:00:00Z"))),
                row("no record and no note", FaultCode.STATEMENT_MISSING, topics -> {
                    topics.records.clear();
                    topics.notes.clear();
                }),
                row("no record and no note, the inputs", FaultCode.INPUT_MISSING, topics -> {
                    topics.records.clear();
                    topics.notes.clear();
                }),
                row(
                        "a record of an offset after the end",
                        FaultCode.INPUT_UNKNOWN,
                        topics -> topics.forge(link -> link.getSource().setOffset(999_999L))),
                row(
                        "a report of more unread inputs than a partition can have",
                        FaultCode.INPUT_UNKNOWN,
                        topics -> topics.forge(link -> link.setUnread(Long.MAX_VALUE))),
                row(
                        "a record of no topic",
                        FaultCode.INPUT_UNKNOWN,
                        topics -> topics.forge(link -> link.getSource().setTopic("no-such-topic"))),
                row(
                        "a record of an input in flight, with another payload",
                        FaultCode.INPUT_CHANGED,
                        topics -> topics.forge(link -> {})),
                row(
                        "an invented record",
                        FaultCode.LOG_REPEATED,
                        topics -> topics.forge(link -> {}).getLog().setIndex(9L)),
                row("a record after the last head", FaultCode.NOT_COVERED, topics -> topics.forge(link -> {})),
                row(
                        "a log cut back to a head and its statement, and forged after it",
                        FaultCode.NOT_COVERED,
                        topics -> {
                            topics.cutBack(7, LENGTH);
                            topics.rewrite(7, TopicTamperTest::accept);
                        }),
                row("the same, with records written now", FaultCode.NOT_COVERED, topics -> {
                    topics.cutBack(7, LENGTH);
                    topics.recorded = NOW;
                    topics.rewrite(7, TopicTamperTest::accept);
                }),
                row("the same, with inputs dated now", FaultCode.INPUT_CHANGED, topics -> {
                    topics.cutBack(7, LENGTH);
                    topics.date(7, NOW);
                    topics.rewrite(7, TopicTamperTest::accept);
                }),
                row("the same, with inputs dated in the future", FaultCode.NOT_COVERED, topics -> {
                    topics.cutBack(7, LENGTH);
                    topics.date(7, NOW.plus(Duration.ofDays(365)));
                    topics.rewrite(7, TopicTamperTest::accept);
                }),
                row("patches dated in the future", FaultCode.NOT_COVERED, topics -> {
                    topics.cutBack(2 * LENGTH, 7);
                    topics.recorded = NOW.plus(Duration.ofDays(365));
                }),
                row("a redacted copy without a redaction", FaultCode.REDACTION_UNPROVEN, topics -> topics.redact(5)),
                row(
                        "a redacted copy with another stage",
                        FaultCode.RECORD_CHANGED,
                        topics -> topics.redact(5).setStage(Stage.APPLY.name())),
                row(
                        "a redacted copy with another position",
                        FaultCode.RECORD_CHANGED,
                        topics -> topics.redact(5).setPosition(7)),
                row(
                        "a redacted copy with another profile",
                        FaultCode.RECORD_CHANGED,
                        topics -> topics.redact(5).setProfile("STRICT")),
                row(
                        "a redacted copy with another time",
                        FaultCode.RECORD_CHANGED,
                        topics -> topics.redact(5).getSource().setTimestamp(Instant.ofEpochMilli(4_711))),
                row("a replayed head", FaultCode.HEAD_REPLAYED, topics -> topics.notes.add(topics.trail.head(0, 7))),
                row("a second history from the same key", FaultCode.HEAD_SPLIT, topics -> {
                    topics.rewrite(4, TopicTamperTest::accept);
                    topics.notes.add(topics.trail.head(0));
                }),
                row("a replayed head of another history", FaultCode.HEAD_SPLIT, topics -> {
                    topics.notes.add(1, topics.trail.head(0, 7));
                    topics.rewrite(2, TopicTamperTest::accept);
                    topics.notes.add(topics.trail.head(0, 7));
                }),
                row("a second history than that of a stored head", FaultCode.HEAD_SPLIT, topics -> {
                    topics.since = List.of(topics.trail.head(0));
                    topics.rewrite(4, TopicTamperTest::accept);
                    topics.notes.set(1, topics.trail.head(0));
                }),
                row("a log that was rolled back", FaultCode.NOT_CONTINUED, topics -> {
                    topics.since = List.of(topics.trail.head(0));
                    topics.notes.set(1, topics.trail.head(0, 20));
                    topics.remove(0, 20, 2 * LENGTH);
                }),
                row(
                        "a head of another deployment",
                        FaultCode.HEAD_MALFORMED,
                        topics -> topics.notes.set(
                                1,
                                new LogNotes("example.com/other", List.of(KEY))
                                        .head(0, 24, new byte[32], Instant.EPOCH))),
                row("a head with a forged root", FaultCode.HEAD_FORGED, topics -> {
                    AuditHead head = topics.notes.get(1);
                    topics.rewrite(4, TopicTamperTest::accept);
                    head.setNote(head.getNote().replace(root(head), root(topics.trail.head(0))));
                }),
                row(
                        "a head of another key",
                        FaultCode.NOT_COVERED,
                        topics -> topics.notes.set(1, topics.trail.head(Trail.key(), 0, 2 * LENGTH))),
                row(
                        "a head without a signature",
                        FaultCode.NOT_COVERED,
                        topics -> topics.notes.set(1, topics.trail.head(null, 0, 2 * LENGTH))),
                row(
                        "a statement of another key",
                        FaultCode.STATEMENT_MISSING,
                        topics -> topics.notes.set(
                                0,
                                new LogNotes(Trail.ORIGIN, List.of(Trail.key()))
                                        .statement(2, Collections.emptySortedMap(), Instant.EPOCH))),
                row("a forged cosignature", FaultCode.HEAD_FORGED, topics -> {
                    AuditHead head = topics.trail.head(0);
                    NoteSignature other = NoteSigner.cosigner("w1", KeyFiles.newPair())
                            .cosign(head.getNote().substring(0, head.getNote().indexOf("\n\n") + 1), 1);
                    NoteSignature forged =
                            new NoteSignature("w1", WITNESS.verifierKey().keyId(), other.bytes());
                    topics.cosigned = Optional.of(AuditHead.newBuilder(head)
                            .setNote(head.getNote() + forged.line())
                            .build());
                }),
                row("a claimed retention", FaultCode.LOG_OMITTED, Trailed::expire),
                row("a record of the middle that passes as expired", FaultCode.LOG_OMITTED, topics -> {
                    topics.expire();
                    topics.acceptsExpired = true;
                    topics.records.remove(topics.record(8));
                }),
                row("the last record of a chain that passes as expired", FaultCode.LOG_OMITTED, topics -> {
                    topics.expire();
                    topics.acceptsExpired = true;
                    topics.records.remove(topics.record(LENGTH - 1));
                }),
                row("a removed tile", FaultCode.LOG_GAP, topics -> {
                    topics.expire();
                    topics.acceptsExpired = true;
                    topics.tiles.remove("0/0/0");
                }),
                row("a changed tile", FaultCode.HEAD_MISMATCH, topics -> {
                    topics.expire();
                    topics.acceptsExpired = true;
                    flip(topics.tiles.get("0/0/0").getHashes());
                }));
    }

    private static String root(AuditHead head) {
        return head.getNote().lines().toList().get(2);
    }

    @BeforeAll
    static void writeInputs() throws Exception {
        Map<String, Object> clients = Map.of("bootstrap.servers", SharedCluster.brokers());
        admin = Admin.create(clients);
        producer = new KafkaProducer<>(
                NewTopicProducers.settings(clients), new ByteArraySerializer(), new ByteArraySerializer());
        serdes = AvroSerdes.fromConfig(Map.of("schema.registry.url", "mock://tampered"));
        admin.createTopics(List.of(new NewTopic(INPUTS.wire(), 3, (short) 1)
                        .configs(Map.of(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime"))))
                .all()
                .get();
        Map<TopicPartition, OffsetAndMetadata> read = new HashMap<>();
        for (int partition = 0; partition < 3; partition++) {
            for (int i = 0; i < LENGTH; i++) {
                byte[] value = (CHAINS.get(partition) + i).getBytes(UTF_8);
                RECEIVED.add(
                        Instant.ofEpochMilli(producer.send(new ProducerRecord<>(INPUTS.wire(), partition, null, value))
                                .get()
                                .timestamp()));
            }
            // In flight.
            send(INPUTS.wire(), partition, null, "next".getBytes(UTF_8));
            read.put(new TopicPartition(INPUTS.wire(), partition), new OffsetAndMetadata(LENGTH));
        }
        producer.flush();
        admin.alterConsumerGroupOffsets(INPUTS.applicationId(), read).all().get();
    }

    @AfterAll
    static void close() throws Exception {
        producer.close();
        admin.close();
        serdes.close();
    }

    private static void send(String topic, int partition, String key, byte[] value) {
        send(topic, partition, null, key, value);
    }

    private static void send(String topic, int partition, Instant time, String key, byte[] value) {
        producer.send(new ProducerRecord<>(
                topic,
                partition,
                time == null ? null : time.toEpochMilli(),
                key == null ? null : key.getBytes(UTF_8),
                value));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changes")
    void aChangeIsFound(String what, FaultCode code, Consumer<Trailed> change) throws Exception {
        Trailed topics = new Trailed();
        change.accept(topics);
        assertThat(faults(topics)).extracting(AuditFault::code).contains(code);
    }

    /** The head is not the last one of its log. */
    @Test
    void aStatementOfAnotherHistoryIsReportedWithBothNotes() throws Exception {
        Trailed topics = new Trailed();
        AuditHead head = topics.trail.head(0, 7);
        topics.notes.add(1, head);
        topics.rewrite(2, TopicTamperTest::accept);
        AuditHead statement = topics.trail.statement(KEY, 2, Map.of(0, 7));
        topics.notes.set(0, statement);
        assertThat(faults(topics))
                .filteredOn(fault -> fault.code() == FaultCode.HEAD_SPLIT)
                .singleElement()
                .satisfies(fault -> assertThat(fault.detail()).contains(head.getNote(), statement.getNote()));
    }

    @Test
    void unchangedTopicsHaveNoFaults() throws Exception {
        assertThat(faults(new Trailed())).isEmpty();
        Trailed expired = new Trailed();
        expired.expire();
        expired.acceptsExpired = true;
        assertThat(faults(expired)).isEmpty();
        Trailed older = new Trailed();
        older.expire();
        older.acceptsExpired = true;
        older.notes.set(0, older.trail.statement(KEY, 3, Map.of(0, 5)));
        assertThat(faults(older))
                .as("an older statement that lists expired records")
                .isEmpty();
        Trailed foreign = new Trailed();
        foreign.expire();
        foreign.acceptsExpired = true;
        foreign.notes.add(new LogNotes(Trail.ORIGIN, List.of(Trail.key()))
                .head(0, MerkleHasher.MAX_SIZE, new byte[32], Instant.EPOCH));
        assertThat(faults(foreign))
                .as("a head of another key at the maximum size")
                .extracting(AuditFault::code)
                .containsExactly(FaultCode.NOTE_IGNORED);
        Trailed witnessed = new Trailed();
        IntStream.of(1, 2).forEach(i -> witnessed.notes.set(i, Trail.cosigned(witnessed.notes.get(i), WITNESS)));
        witnessed.cosigned = Optional.of(witnessed.notes.get(1));
        assertThat(faults(witnessed)).isEmpty();
    }

    /** Writes the topics of a deployment, and verifies them. */
    private static List<AuditFault> faults(Trailed trailed) throws Exception {
        TopicNames names = SharedCluster.newDeployment();
        Topics topics = new Topics(names, serdes);
        admin.createTopics(Stream.of(names.audit(), names.auditHead(), names.auditTile(), names.auditCosignature())
                        // An insider may allow records of the future.
                        .map(name -> new NewTopic(name, 1, (short) 1)
                                .configs(Map.of(
                                        TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG,
                                        Long.toString(Long.MAX_VALUE))))
                        .toList())
                .all()
                .get();
        trailed.records.forEach(link -> send(
                names.audit(),
                0,
                trailed.recorded,
                link.getChain(),
                topics.audit().write(link)));
        trailed.notes.forEach(note ->
                send(names.auditHead(), 0, note.getOrigin(), topics.auditHead().write(note)));
        trailed.tiles.forEach((key, tile) ->
                send(names.auditTile(), 0, key, topics.auditTile().write(tile)));
        trailed.cosigned.ifPresent(note -> send(
                names.auditCosignature(),
                0,
                note.getOrigin(),
                topics.auditCosignature().write(note)));
        producer.flush();
        admin.deleteRecords(Map.of(new TopicPartition(names.audit(), 0), RecordsToDelete.beforeOffset(trailed.expired)))
                .all()
                .get();
        List<AuditFault> faults = new ArrayList<>();
        WitnessPolicy policy = trailed.cosigned.isPresent()
                ? new WitnessPolicy(List.of(WITNESS.verifierKey()), 1)
                : WitnessPolicy.NONE;
        try (TopicVerification verification = new TopicVerification(
                Map.of("bootstrap.servers", SharedCluster.brokers()),
                names,
                serdes,
                new AuditedPipeline(INPUTS.applicationId(), List.of(INPUTS.wire()), Limits.DEFAULT, Optional.empty()),
                new LogNoteReader(policy, TrustedKey.present(List.of(KEY.verifierKey()))),
                InstantSource.fixed(NOW),
                listener(faults))) {
            verification.run(
                    stored(trailed.since),
                    stored(trailed.acceptsExpired ? trailed.notes.subList(1, 3) : List.of()),
                    Optional.empty());
        }
        return faults;
    }

    private static StoredHeads stored(List<AuditHead> heads) throws IOException {
        if (heads.isEmpty()) {
            return StoredHeads.NONE;
        }
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        for (AuditHead head : heads) {
            lines.writeBytes(ApiJson.bytes(head));
            lines.write('\n');
        }
        return StoredHeads.read(Files.write(directory.resolve("heads.jsonl"), lines.toByteArray()));
    }

    private static ProgressListener listener(List<AuditFault> faults) {
        return new ProgressListener() {
            @Override
            public void found(AuditFault fault) {
                faults.add(fault);
            }

            @Override
            public void progress(long done, long total) {
                // Not of interest.
            }
        };
    }
}
