package dev.parley.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.parley.avro.Accounting;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.CspOperation;
import dev.parley.avro.CspOperator;
import dev.parley.avro.Performative;
import dev.parley.avro.Protocol;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.TrafficCount;
import dev.parley.avro.Verdict;
import dev.parley.load.Load;
import dev.parley.load.LoadRecord;
import dev.parley.protocol.TopicNames;
import dev.parley.topology.pipeline.InputRecord;
import dev.parley.topology.pipeline.PipelineDriver;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds the oracle of the chaos suite to its word: it says nothing of a pipeline that works, and notices each thing
 * that is not as it should be.
 */
class OracleTest {
    private static final int RECORDS = 1_500;

    private static Evidence evidence;

    /** The output of a pipeline for a load. */
    private record Evidence(
            List<ConsumerRecord<byte[], byte[]>> inputs,
            List<AuditRecord> audit,
            List<AgentMessage> messages,
            Map<Stage, List<ConsumerRecord<byte[], byte[]>>> letters,
            List<Checkpoint> checkpoints,
            List<TestRecord<String, Accounting>> accounting) {

        Evidence copy() {
            Map<Stage, List<ConsumerRecord<byte[], byte[]>>> copied = new EnumMap<>(Stage.class);
            letters.forEach((stage, list) -> copied.put(stage, new ArrayList<>(list)));
            return new Evidence(
                    new ArrayList<>(inputs),
                    new ArrayList<>(audit),
                    new ArrayList<>(messages),
                    copied,
                    new ArrayList<>(checkpoints),
                    new ArrayList<>(accounting));
        }

        Oracle oracle() {
            Oracle oracle = new Oracle();
            inputs.forEach(oracle::input);
            audit.forEach(oracle::audit);
            messages.forEach(oracle::message);
            letters.forEach((stage, list) -> list.forEach(letter -> oracle.deadLetter(stage, letter)));
            checkpoints.forEach(oracle::checkpoint);
            accounting.forEach(record -> oracle.accounting(record.key(), record.value()));
            return oracle;
        }
    }

    @BeforeAll
    static void run(@TempDir Path directory) {
        try (PipelineDriver pipeline = PipelineDriver.in(directory, Map.of())) {
            Load load = new Load("oracle", 5, 12);
            List<ConsumerRecord<byte[], byte[]>> inputs = new ArrayList<>();
            for (int i = 0; i < RECORDS; i++) {
                ProducerRecord<byte[], byte[]> record = load.next().record();
                Source source = pipeline.send(InputRecord.of(record, PipelineDriver.START));
                inputs.add(consumed(
                        source.getTopic(), source.getOffset(), record.key(), record.value(), record.headers()));
            }
            pipeline.waitFor(Duration.ofSeconds(2));
            Map<Stage, List<ConsumerRecord<byte[], byte[]>>> letters = new EnumMap<>(Stage.class);
            for (Stage stage : TopicNames.DEAD_LETTER_STAGES) {
                letters.put(
                        stage,
                        pipeline.deadLetters(stage).stream()
                                .map(letter -> consumed("dlq", 0, letter.key(), letter.value(), letter.headers()))
                                .toList());
            }
            evidence = new Evidence(
                    inputs,
                    pipeline.audit(),
                    values(pipeline.messages()),
                    letters,
                    values(pipeline.checkpoints()),
                    List.copyOf(pipeline.accounting()));
        }
    }

    private static Arguments change(String name, Consumer<Evidence> change, String... said) {
        return arguments(name, change, List.of(said));
    }

    static Stream<Arguments> changes() {
        return Stream.of(
                change("nothing", records -> {}),
                change(
                        "an input that never arrived",
                        records -> records.inputs().remove(700),
                        "records were sent",
                        "a verdict more"),
                change(
                        "an input twice",
                        records -> records.inputs().add(moved(records.inputs().get(700))),
                        "was sent twice"),
                change("a verdict lost", records -> records.audit().remove(last(records.audit())), "has no verdict"),
                change(
                        "a verdict twice",
                        records -> records.audit().add(records.audit().get(700)),
                        "a verdict more",
                        "RECORD_REPEATED"),
                change(
                        "another verdict",
                        records -> {
                            int decoded = 600;
                            while (records.audit().get(decoded).getMessage() == null) {
                                decoded++;
                            }
                            records.audit().set(decoded, other(records.audit().get(decoded)));
                        },
                        "should be",
                        "hash"),
                change("two links of a chain that changed places", OracleTest::swapLinks, "expected sequence"),
                change("a message lost", records -> records.messages().remove(300), "is not in the message topic"),
                change(
                        "a message twice",
                        records -> records.messages().add(records.messages().get(300)),
                        "once too often"),
                change("a dead letter lost", records -> dialogue(records).remove(3), "has no dead letter"),
                change(
                        "a dead letter twice",
                        records -> dialogue(records).add(dialogue(records).get(3)),
                        "should not be"),
                change(
                        "a dead letter of another stage",
                        records -> records.letters()
                                .get(Stage.APPLY)
                                .add(dialogue(records).remove(3)),
                        "should be in those of JUDGE"),
                change("a dead letter with another value", records -> letter(records, true, false), "byte for byte"),
                change("a dead letter with another key", records -> letter(records, false, false), "byte for byte"),
                change("a dead letter without a header", records -> letter(records, false, true), "byte for byte"),
                change(
                        "a checkpoint lost",
                        records -> records.checkpoints().remove(last(records.checkpoints())),
                        "was not written"),
                change("a checkpoint with another value", OracleTest::changeValue, "and should be"),
                change("a checkpoint twice", records -> records.checkpoints().add(bare(records)), "was written twice"),
                change("a snapshot of another state", OracleTest::falseSnapshot, "the snapshot of"),
                change("an input that Parley has not counted", OracleTest::countLess, "and Parley counts"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changes")
    void oracleDetectsDeviations(String name, Consumer<Evidence> change, List<String> said) {
        Evidence records = evidence.copy();
        change.accept(records);
        Oracle oracle = records.oracle();

        boolean settled = oracle.isSettled() && oracle.isCounted();
        List<String> objections = oracle.objections(RECORDS);

        if (said.isEmpty()) {
            assertThat(objections).isEmpty();
            assertThat(settled).isTrue();
        }
        said.forEach(words -> assertThat(objections)
                .anySatisfy(objection -> assertThat(objection).contains(words)));
    }

    @Test
    void derivedOutputsMayBeReadBeforeTheirVerdict() {
        Oracle oracle = new Oracle();
        evidence.inputs().forEach(oracle::input);
        evidence.messages().forEach(oracle::message);
        evidence.letters().forEach((stage, list) -> list.forEach(letter -> oracle.deadLetter(stage, letter)));
        assertThat(oracle.isSettled()).isFalse();
        evidence.audit().forEach(oracle::audit);
        evidence.checkpoints().forEach(oracle::checkpoint);
        evidence.accounting().forEach(record -> oracle.accounting(record.key(), record.value()));

        assertThat(oracle.isSettled()).isTrue();
        assertThat(oracle.objections(RECORDS)).isEmpty();
    }

    @Test
    void minuteIsCountedOnceAndNotBeyondItsVerdicts() {
        Instant minute = PipelineDriver.START.truncatedTo(ChronoUnit.MINUTES);
        Oracle oracle = evidence.oracle();
        oracle.traffic("kind", traffic(minute, RECORDS / 2));
        assertThat(oracle.objections(RECORDS)).isEmpty();

        oracle.traffic("kind", traffic(minute, 1));
        assertThat(oracle.objections(RECORDS)).singleElement().asString().contains("counted twice");
        oracle.traffic("other kind", traffic(minute, RECORDS));
        assertThat(oracle.objections(RECORDS)).singleElement().asString().contains("the traffic counts say");
    }

    private static TrafficCount traffic(Instant start, long messages) {
        return TrafficCount.newBuilder()
                .setWindowStart(start)
                .setWindowEnd(start.plusSeconds(60))
                .setNamespace("default")
                .setProtocol(Protocol.SLIP.name())
                .setPerformative(Performative.ASK.name())
                .setVerdict(Verdict.ACCEPTED.name())
                .setMessages(messages)
                .build();
    }

    @Test
    void oracleCoversEveryOutcome() {
        Oracle oracle = evidence.oracle();
        assertThat(oracle.objections(RECORDS)).isEmpty();

        assertThat(oracle.total().balances()).isTrue();
        assertThat(oracle.total().inputs()).isEqualTo(RECORDS);
        assertThat(List.of(
                        oracle.total().accepted(),
                        oracle.total().rejected(),
                        oracle.total().undecodable(),
                        oracle.total().parked(),
                        (long) oracle.chains(),
                        (long) oracle.checkpoints()))
                .allMatch(count -> count > 0);
        assertThat(evidence.checkpoints()).anyMatch(checkpoint -> checkpoint.getSnapshot() != null);
    }

    private static int last(List<?> list) {
        return list.size() - 1;
    }

    private static List<ConsumerRecord<byte[], byte[]>> dialogue(Evidence records) {
        return records.letters().get(Stage.JUDGE);
    }

    private static ConsumerRecord<byte[], byte[]> moved(ConsumerRecord<byte[], byte[]> input) {
        return consumed(input.topic(), 100_000, input.key(), input.value(), input.headers());
    }

    private static AuditRecord other(AuditRecord audit) {
        return audit.getVerdict().equals(Verdict.ACCEPTED.name())
                ? AuditRecord.newBuilder(audit)
                        .setVerdict(Verdict.REJECTED.name())
                        .setCode("CSP_SELF_APPLY")
                        .build()
                : AuditRecord.newBuilder(audit)
                        .setVerdict(Verdict.ACCEPTED.name())
                        .setCode(null)
                        .build();
    }

    private static void swapLinks(Evidence records) {
        AuditRecord first = records.audit().get(0);
        for (int i = 1; i < records.audit().size(); i++) {
            if (records.audit().get(i).getChain().equals(first.getChain())) {
                Collections.swap(records.audit(), 0, i);
                return;
            }
        }
        throw new AssertionError("no second link of " + first.getChain());
    }

    private static void letter(Evidence records, boolean value, boolean header) {
        ConsumerRecord<byte[], byte[]> letter = dialogue(records).get(3);
        Headers headers = new RecordHeaders(letter.headers());
        if (header) {
            headers.remove(LoadRecord.ID);
        }
        byte[] changed = value ? letter.value().clone() : letter.key().clone();
        changed[0]++;
        dialogue(records)
                .set(
                        3,
                        consumed(
                                "dlq",
                                0,
                                value || header ? letter.key() : changed,
                                value ? changed : letter.value(),
                                headers));
    }

    private static void changeValue(Evidence records) {
        int at = last(records.checkpoints());
        Checkpoint checkpoint = records.checkpoints().get(at);
        List<CspOperation> operations = new ArrayList<>(checkpoint.getOperations());
        operations.set(0, new CspOperation(CspOperator.ADD, "ELSE", "1"));
        records.checkpoints()
                .set(
                        at,
                        Checkpoint.newBuilder(checkpoint)
                                .setOperations(operations)
                                .build());
    }

    private static Checkpoint bare(Evidence records) {
        return records.checkpoints().stream()
                .filter(checkpoint -> checkpoint.getParent() != null && checkpoint.getSnapshot() == null)
                .findFirst()
                .orElseThrow();
    }

    private static void falseSnapshot(Evidence records) {
        Optional<Checkpoint> with = records.checkpoints().stream()
                .filter(checkpoint -> checkpoint.getSnapshot() != null && checkpoint.getParent() != null)
                .findFirst();
        int at = records.checkpoints().indexOf(with.orElseThrow());
        records.checkpoints()
                .set(
                        at,
                        Checkpoint.newBuilder(with.get())
                                .setSnapshot(Map.of("N0", "x"))
                                .build());
    }

    private static void countLess(Evidence records) {
        TestRecord<String, Accounting> counted = records.accounting().get(last(records.accounting()));
        Accounting less = Accounting.newBuilder(counted.value()).build();
        less.setAccepted(less.getAccepted() - 1);
        less.setInputs(less.getInputs() - 1);
        records.accounting().add(new TestRecord<>(counted.key(), less));
    }

    private static ConsumerRecord<byte[], byte[]> consumed(
            String topic, long offset, byte[] key, byte[] value, Headers headers) {
        return new ConsumerRecord<>(
                topic, 0, offset, 0L, TimestampType.CREATE_TIME, 0, 0, key, value, headers, Optional.empty());
    }

    private static <V> List<V> values(List<TestRecord<String, V>> records) {
        return records.stream().map(TestRecord::value).toList();
    }
}
