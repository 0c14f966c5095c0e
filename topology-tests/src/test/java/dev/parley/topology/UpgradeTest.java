package dev.parley.topology;

import static dev.parley.avro.Verdict.ACCEPTED;
import static dev.parley.avro.Verdict.REJECTED;
import static dev.parley.avro.Verdict.UNDECODABLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.audit.AuditChain;
import dev.parley.avro.Accounting;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.DialogueState;
import dev.parley.avro.Source;
import dev.parley.avro.Verdict;
import dev.parley.protocol.TopicNames;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.SourceTopicMetadata;
import dev.parley.topology.pipeline.InputRecord;
import dev.parley.topology.pipeline.PipelineDriver;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An upgrade in mid-stream: the current pipeline continues seven conversations over the stores of a release, byte for
 * byte as the release left them. Every store of the dialogue and of checkpoints decides at least one of the verdicts.
 */
class UpgradeTest {
    private static final Instant BEFORE = Instant.parse("2026-01-01T10:00:00Z");
    private static final Instant AFTER = BEFORE.plus(Duration.ofMinutes(10));
    private static final String INTENT = "000110110001";
    private static final int TASKS = 40;

    @TempDir
    private Path directory;

    /** The first half, which the release has seen. */
    static List<InputRecord> before() {
        // More tasks than a state contains: the first ones become older tasks.
        List<InputRecord> tasks = IntStream.rangeClosed(1, TASKS)
                .mapToObj(task -> InputRecord.text("@a3|f0|c2|S0|d1|T" + task + "|k" + task + "#"))
                .toList();
        List<InputRecord> others = List.of(
                InputRecord.slipRequest(1, 1),
                InputRecord.text("@a6|f1|c1|S1|d0|T2|k1#"),
                InputRecord.subit("STATE", "000110").key("s-1"),
                InputRecord.subit("INTENT", INTENT).key("s-1"),
                InputRecord.patch("ctx", "P1", "C0", "C1", "+ DEF A = 1"),
                InputRecord.patch("ctx", "P2", "C1", "C2", "~ DEF A := 2", "+ DEF B = 2"),
                InputRecord.patch("ctx", "P3", "C1", "C3", "~ DEF A := 3"),
                parked(),
                InputRecord.text(
                                "CSP/1\nFROM MAIN\nTO CODER\nCTX C1\nINTENT TASK\n\nTASK T1\nREQ find\nIN x\nOUT F\nOWNER CODER\nPRIORITY P1")
                        .key("ctx"),
                InputRecord.text("?Uc/la").key("talk").header("parley-sender", "A1"),
                InputRecord.text("Hello team"));
        return Stream.concat(others.stream(), tasks.stream()).toList();
    }

    private static InputRecord parked() {
        return InputRecord.patch("ctx", "P9", "C8", "C9", "+ DEF E = 9").header("traceparent", "00-9-9-01");
    }

    private record Expected(InputRecord wire, Verdict verdict, String code) {}

    /** The second half: each verdict is another one where the first half is forgotten. */
    private static List<Expected> after() {
        return List.of(
                new Expected(InputRecord.text("@a5|f0|c1|S1|d0|T3|k1#"), ACCEPTED, null),
                new Expected(InputRecord.text("@a2|f0|c1|S0|d1|T1|k1#"), REJECTED, "SLIP_TURN_REGRESSION"),
                new Expected(InputRecord.subit("ACTION", INTENT).key("s-1"), ACCEPTED, null),
                new Expected(InputRecord.patch("ctx", "P4", "C3", "C4", "~ DEF A := 4"), ACCEPTED, null),
                new Expected(
                        InputRecord.patch("ctx", "P1", "C4", "C5", "+ DEF Z = 1"), REJECTED, "CSP_PATCH_ID_REUSED"),
                new Expected(
                        InputRecord.text(
                                        "CSP/1\nFROM CODER\nTO MAIN\nCTX C1\nINTENT RESULT\n\nRESULT T1\nSTATUS OK\nPRODUCED F\nDATA done")
                                .key("ctx"),
                        ACCEPTED,
                        null),
                new Expected(InputRecord.text("<+").key("talk").header("parley-sender", "A2"), ACCEPTED, null),
                new Expected(InputRecord.text("Hello again, team"), UNDECODABLE, "UNKNOWN_PROTOCOL"),
                new Expected(InputRecord.text("@a6|f1|c2|S1|d0|T" + (TASKS + 1) + "|k1#"), ACCEPTED, null),
                // Its base releases the parked patch, which is judged after it.
                new Expected(InputRecord.patch("ctx", "P8", "C2", "C8", "- DEF B"), ACCEPTED, null));
    }

    static List<ReleaseFixture> releases() {
        return ReleaseFixture.all();
    }

    @ParameterizedTest
    @MethodSource("releases")
    void stateOfAReleaseIsContinued(ReleaseFixture release) {
        try (PipelineDriver pipeline = open("upgraded")) {
            release.restore(pipeline);
            Map<String, DialogueState> heads = heads(pipeline);
            assertThat(pipeline.log().next().getIndex())
                    .as("all except the parked patch")
                    .isEqualTo(before().size() - 1);
            // The driver begins at the first offset, whose records have their verdicts.
            before().forEach(wire -> pipeline.send(at(wire, BEFORE)));
            assertThat(pipeline.audit()).isEmpty();
            after().forEach(next -> pipeline.send(at(next.wire(), AFTER)));

            List<AuditRecord> audit = pipeline.audit();
            assertThat(audit.subList(0, after().size())).zipSatisfy(after(), (record, next) -> {
                assertThat(record.getVerdict())
                        .as("%s", next)
                        .isEqualTo(next.verdict().name());
                assertThat(record.getCode()).as("%s", next).isEqualTo(next.code());
            });
            assertThat(audit).hasSize(after().size() + 1);
            AuditRecord released = audit.get(after().size());
            assertThat(released.getVerdict()).isEqualTo(ACCEPTED.name());
            assertThat(released.getMessage().getRaw()).isEqualTo(ByteBuffer.wrap(parked().value()));
            assertThat(heads).hasSize(6);
            everyChainGoesOn(heads, audit);
            assertThat(pipeline.log().next().getIndex())
                    .as("records of the log")
                    .isEqualTo(before().size() + after().size());
            everyInputIsAccountedFor(pipeline);
            assertThat(pipeline.checkpoints())
                    .extracting(TestRecord::key)
                    .containsExactly("default|ctx|C4", "default|ctx|C8", "default|ctx|C9");
        }
    }

    @ParameterizedTest
    @MethodSource("releases")
    void recordsOfAReleaseAreUnderTheirSubjects(ReleaseFixture release) throws Exception {
        try (PipelineDriver pipeline = open("today")) {
            before().forEach(wire -> pipeline.send(at(wire, BEFORE)));
            pipeline.waitFor(Duration.ofSeconds(2));
            Map<String, String> today = new HashMap<>();
            for (String subject : pipeline.registry().getAllSubjects()) {
                String schema =
                        pipeline.registry().getLatestSchemaMetadata(subject).getSchema();
                today.put(
                        subject,
                        new org.apache.avro.Schema.Parser().parse(schema).getFullName());
            }

            assertThat(today).containsAllEntriesOf(release.subjects());
        }
    }

    @Test
    void storeWithOtherKeysIsDetected() {
        try (PipelineDriver pipeline = open("lost")) {
            ReleaseFixture.last().restore(pipeline);
            for (String store : pipeline.storeNames()) {
                renameKeys(pipeline.bytesOf(store));
            }
            Source commit = pipeline.send(at(after().get(0).wire(), AFTER));
            Source patch = pipeline.send(at(after().get(3).wire(), AFTER));

            assertThat(pipeline.auditOf(commit).getVerdict()).isEqualTo(REJECTED.name());
            assertThat(pipeline.auditOf(commit).getSequence()).isZero();
            assertThat(pipeline.audit()).extracting(AuditRecord::getSource).doesNotContain(patch);
        }
    }

    private static void renameKeys(KeyValueStore<Bytes, byte[]> store) {
        Map<Bytes, byte[]> all = new HashMap<>();
        try (KeyValueIterator<Bytes, byte[]> entries = store.all()) {
            while (entries.hasNext()) {
                KeyValue<Bytes, byte[]> entry = entries.next();
                all.put(entry.key, entry.value);
            }
        }
        all.forEach((key, value) -> {
            store.delete(key);
            store.put(Bytes.wrap(("v2|" + key).getBytes(java.nio.charset.StandardCharsets.UTF_8)), value);
        });
    }

    private static Map<String, DialogueState> heads(PipelineDriver pipeline) {
        Map<String, DialogueState> heads = new HashMap<>();
        try (KeyValueIterator<String, DialogueState> all =
                pipeline.conversationStore().all()) {
            while (all.hasNext()) {
                KeyValue<String, DialogueState> entry = all.next();
                heads.put(entry.key, entry.value);
            }
        }
        return heads;
    }

    private static void everyChainGoesOn(Map<String, DialogueState> heads, List<AuditRecord> audit) {
        AuditChain hashes = new AuditChain();
        Map<String, Long> sequences = new HashMap<>();
        Map<String, ByteBuffer> last = new HashMap<>();
        heads.forEach((chain, head) -> {
            sequences.put(chain, head.getSequence());
            last.put(chain, head.getHead());
        });
        for (AuditRecord link : audit) {
            assertThat(link.getSequence())
                    .as("sequence of %s", link.getChain())
                    .isEqualTo(sequences.get(link.getChain()));
            assertThat(link.getPreviousHash()).isEqualTo(last.get(link.getChain()));
            assertThat(link.getHash()).isEqualTo(hashes.hash(link));
            sequences.merge(link.getChain(), 1L, Long::sum);
            last.put(link.getChain(), link.getHash());
        }
        assertThat(last.keySet()).isEqualTo(heads.keySet());
    }

    private static void everyInputIsAccountedFor(PipelineDriver pipeline) {
        pipeline.waitFor(Duration.ofSeconds(2));
        Map<String, Accounting> last = new HashMap<>();
        pipeline.accounting().forEach(record -> last.put(record.key(), record.value()));
        assertThat(last.values().stream().mapToLong(Accounting::getInputs).sum())
                .isEqualTo(before().size() + after().size());
        assertThat(last.values().stream().mapToLong(Accounting::getAccepted).sum())
                .isEqualTo(TASKS + 17);
        assertThat(last.values().stream().mapToLong(Accounting::getRejected).sum())
                .isEqualTo(2);
        assertThat(last.values().stream().mapToLong(Accounting::getUndecodable).sum())
                .isEqualTo(2);
        assertThat(last.values().stream().mapToLong(Accounting::getParked).sum())
                .isZero();
    }

    /**
     * Writes the coming version: once for the subjects and the IDs of their schemas, once more for stores with these
     * IDs.
     */
    static void write(Path directory) throws Exception {
        try (PipelineDriver first = open(directory.resolve("first"), "of the release")) {
            before().forEach(wire -> first.send(at(wire, BEFORE)));
            first.waitFor(Duration.ofSeconds(2));
            ReleaseFixture release = ReleaseFixture.writeContract(first);
            try (PipelineDriver second = open(directory.resolve("second"), "of the release")) {
                release.number(second);
                before().forEach(wire -> second.send(at(wire, BEFORE)));
                release.writeState(second);
            }
        }
    }

    private static InputRecord at(InputRecord wire, Instant time) {
        return wire.to(TopicNames.DEFAULT.wire()).at(time);
    }

    private PipelineDriver open(String name) {
        return open(directory.resolve(name), "of the driver");
    }

    /** @param repartition ID of the repartition topic, which has none of the records of another driver */
    private static PipelineDriver open(Path directory, String repartition) {
        SourceTopicMetadata sources = new SourceTopicMetadata() {
            @Override
            public Optional<String> id(String topic) {
                return topic.endsWith("-repartition") ? Optional.of(repartition) : Optional.empty();
            }

            @Override
            public long expiredBefore(String topic, int partition) {
                return 0;
            }

            @Override
            public int partitions(Collection<String> topics) {
                return 1;
            }
        };
        return PipelineDriver.in(directory, Map.of(ParleyConfig.REGISTRY_URL, "mock://" + UUID.randomUUID()), sources);
    }
}
