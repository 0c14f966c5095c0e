package dev.parley.cli.environment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.audit.InputPosition;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Source;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import dev.parley.codec.Symbols;
import dev.parley.load.CommittedRecords;
import dev.parley.log.ChainVerifier;
import dev.parley.protocol.Protocols;
import dev.parley.protocol.TopicNames;
import dev.parley.serde.AvroSerdes;
import dev.parley.topology.pipeline.LogTrees;
import io.confluent.kafka.serializers.KafkaAvroDeserializer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Everything that stands in the topics, read as any other program would read it, and what must hold between its parts.
 */
public final class TopicAssertions {
    private static final String OUR_HEADERS = "parley.error.";
    private static final String KAFKA_HEADERS = "__streams.errors.";

    static {
        // A reader that has Parley's classes must make Avro trust them, which the application does for itself.
        AvroSerdes.trustRecords();
    }

    private static final Comparator<InputPosition> ORDER = Comparator.comparing(InputPosition::topic)
            .thenComparingInt(InputPosition::partition)
            .thenComparingLong(InputPosition::offset);

    private final Map<InputPosition, ConsumerRecord<byte[], byte[]>> inputs = new TreeMap<>(ORDER);
    private final List<AuditHead> heads;
    private final List<AuditRecord> audit;
    private final Map<Stage, List<ConsumerRecord<byte[], byte[]>>> deadLetters = new LinkedHashMap<>();

    private TopicAssertions(String brokers, String registry, TopicNames names) {
        CommittedRecords.read(
                        brokers,
                        names.inputs(Protocols.STANDARD),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer())
                .forEach(record ->
                        inputs.put(new InputPosition(record.topic(), record.partition(), record.offset()), record));
        KafkaAvroDeserializer avro = new KafkaAvroDeserializer();
        avro.configure(Map.of("schema.registry.url", registry), false);
        // Before the records, because a head covers only records that were committed before it.
        heads = CommittedRecords.read(brokers, List.of(names.auditHead()), new StringDeserializer(), avro).stream()
                .map(record -> (AuditHead) specific((GenericRecord) record.value(), AuditHead.getClassSchema()))
                .toList();
        audit = CommittedRecords.read(brokers, List.of(names.audit()), new StringDeserializer(), avro).stream()
                .map(record -> (AuditRecord) specific((GenericRecord) record.value(), AuditRecord.getClassSchema()))
                .toList();
        for (Stage stage : List.of(Stage.DECODE, Stage.JUDGE, Stage.APPLY, Stage.INTERNAL)) {
            deadLetters.put(
                    stage,
                    CommittedRecords.read(
                            brokers,
                            List.of(names.deadLetters(stage)),
                            new ByteArrayDeserializer(),
                            new ByteArrayDeserializer()));
        }
    }

    /** Reads all topics to their ends. */
    public static TopicAssertions read(String brokers, String registry, TopicNames names) {
        return new TopicAssertions(brokers, registry, names);
    }

    private static SpecificRecord specific(GenericRecord generic, Schema schema) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
            new GenericDatumWriter<GenericRecord>(generic.getSchema()).write(generic, encoder);
            encoder.flush();
            return new SpecificDatumReader<SpecificRecord>(generic.getSchema(), schema)
                    .read(null, DecoderFactory.get().binaryDecoder(bytes.toByteArray(), null));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public long inputCount() {
        return inputs.size();
    }

    /** The timestamp of an input record at the broker. */
    public Instant timeOf(Source source) {
        return Instant.ofEpochMilli(inputs.get(InputPosition.of(source)).timestamp());
    }

    public List<AuditRecord> audit() {
        return audit;
    }

    /** Each input is audited once, unless it waits: then it is a patch whose base never came, and nowhere at all. */
    public TopicAssertions nothingIsLostAndNothingIsTwice() {
        Map<InputPosition, Long> audited = audit.stream()
                .map(record -> InputPosition.of(record.getSource()))
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        assertThat(audited.values()).as("audit records of one input").containsOnly(1L);
        assertThat(inputs.keySet()).containsAll(audited.keySet());
        Set<InputPosition> parked = new LinkedHashSet<>(inputs.keySet());
        parked.removeAll(audited.keySet());
        assertThat(parked)
                .allSatisfy(position -> assertThat(wire(inputs.get(position))).contains("\nBASE C77\n"));
        return this;
    }

    /** Whether some input has not been judged yet: not audited, and no patch, which may wait. */
    public boolean lacksVerdicts() {
        Map<InputPosition, ConsumerRecord<byte[], byte[]>> unjudged = new HashMap<>(inputs);
        audit.forEach(record -> unjudged.remove(InputPosition.of(record.getSource())));
        return unjudged.values().stream().anyMatch(record -> !wire(record).contains("\nINTENT PATCH\n"));
    }

    /** How many inputs of each partition ("topic-partition") have not been audited. */
    public Map<String, Long> parked() {
        Map<String, Long> missing = new TreeMap<>();
        inputs.keySet()
                .forEach(position -> missing.merge(position.topic() + "-" + position.partition(), 1L, Long::sum));
        audit.forEach(record -> missing.merge(
                record.getSource().getTopic() + "-" + record.getSource().getPartition(), -1L, Long::sum));
        return missing;
    }

    /** Verifies the chains, and compares every published head with the tree of the records. */
    public TopicAssertions everyChainVerifies() {
        ChainVerifier verifier = new ChainVerifier();
        for (AuditRecord link : audit) {
            assertThat(verifier.check(link)).isEmpty();
        }
        assertThat(verifier.chains()).isGreaterThan(1);
        LogTrees.verify(audit, heads);
        return this;
    }

    /** Each record that was refused is in the dead letters of its stage once, as it came, and no other record is. */
    public TopicAssertions everyDeadLetterIsItsInput() {
        assertThat(deadLetters.get(Stage.INTERNAL)).isEmpty();
        Map<Stage, List<InputPosition>> refused = new HashMap<>();
        for (AuditRecord record : audit) {
            if (record.getVerdict().equals(Verdict.REJECTED.name())
                    || record.getVerdict().equals(Verdict.UNDECODABLE.name())) {
                refused.computeIfAbsent(Symbols.STAGE.of(record.getStage()), stage -> new ArrayList<>())
                        .add(InputPosition.of(record.getSource()));
            }
        }
        deadLetters.forEach((stage, letters) -> {
            assertThat(letters.stream().map(TopicAssertions::originOf).toList())
                    .as("dead letters of %s", stage)
                    .containsExactlyInAnyOrderElementsOf(refused.getOrDefault(stage, List.of()));
            letters.forEach(this::isItsInput);
        });
        return this;
    }

    private void isItsInput(ConsumerRecord<byte[], byte[]> letter) {
        ConsumerRecord<byte[], byte[]> input = inputs.get(originOf(letter));
        if (letter.headers().lastHeader(OUR_HEADERS + "value-sha256") != null) {
            standsFor(letter, input);
            return;
        }
        assertThat(letter.key()).isEqualTo(input.key());
        assertThat(letter.value()).isEqualTo(input.value());
        List<Header> kept = new ArrayList<>(List.of(letter.headers().toArray()));
        kept.removeIf(
                header -> header.key().startsWith(OUR_HEADERS) || header.key().startsWith(KAFKA_HEADERS));
        assertThat(kept).isEqualTo(List.of(input.headers().toArray()));
    }

    /** A record that is too large has no value in its dead letter, but size, hash and first bytes of it. */
    private static void standsFor(ConsumerRecord<byte[], byte[]> letter, ConsumerRecord<byte[], byte[]> input) {
        byte[] value = input.value();
        assertThat(letter.value()).isNull();
        assertThat(text(letter, OUR_HEADERS + "value-size")).isEqualTo(Integer.toString(value.length));
        assertThat(text(letter, OUR_HEADERS + "value-sha256"))
                .isEqualTo(HexFormat.of().formatHex(sha256(value)));
        assertThat(letter.headers().lastHeader(OUR_HEADERS + "value-prefix").value())
                .isEqualTo(Arrays.copyOf(value, Math.min(200, value.length)));
        assertThat(text(letter, KAFKA_HEADERS + "message"))
                .contains("kafka-console-consumer", "--topic " + input.topic(), "--offset " + input.offset());
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The states that the accepted patches make. */
    public ContextStateOracle states() {
        ContextStateOracle oracle = new ContextStateOracle();
        audit.forEach(oracle::accept);
        return oracle;
    }

    private static InputPosition originOf(ConsumerRecord<byte[], byte[]> letter) {
        return new InputPosition(
                text(letter, KAFKA_HEADERS + "topic"),
                Integer.parseInt(text(letter, KAFKA_HEADERS + "partition")),
                Long.parseLong(text(letter, KAFKA_HEADERS + "offset")));
    }

    private static String text(ConsumerRecord<byte[], byte[]> record, String header) {
        return new String(record.headers().lastHeader(header).value(), UTF_8);
    }

    private static String wire(ConsumerRecord<byte[], byte[]> record) {
        return record.value() == null ? "" : new String(record.value(), UTF_8);
    }
}
