package dev.parley.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.audit.InputPosition;
import dev.parley.cli.api.ApiClient;
import dev.parley.cli.transcript.ExpectedVerdict;
import dev.parley.cli.transcript.Transcript;
import dev.parley.cli.transcript.TranscriptProducer;
import dev.parley.embedded.EmbeddedKafka;
import dev.parley.embedded.EmbeddedKafkaSettings;
import dev.parley.embedded.SchemaRegistryEndpoint;
import dev.parley.protocol.TopicNames;
import dev.parley.server.ServerConfig;
import dev.parley.server.http.HttpKeys;
import dev.parley.server.lifecycle.Application;
import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.ParleyConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.apache.avro.generic.GenericRecord;

/**
 * A broker, a registry, and the topics that Parley makes of a {@link KnownLoad}. Parley has stopped when {@link #feed}
 * returns, so the topics no longer change.
 */
final class Deployment implements AutoCloseable {
    private static final int PARTITIONS = 2;
    private static final Duration TIMEOUT = Duration.ofSeconds(300);
    /** Longer than the load, so that no message is late. */
    private static final Duration GRACE = Duration.ofHours(KnownLoad.HOURS + 1);

    private static final int CLOSING_ROUNDS = 3;

    private final Path directory;
    private final EmbeddedKafka kafka;
    private final SchemaRegistryEndpoint registry;
    private final Instant start =
            Instant.now().truncatedTo(ChronoUnit.HOURS).minus(GRACE).minus(Duration.ofHours(KnownLoad.HOURS + 1));
    private final Map<InputPosition, ExpectedVerdict> expected = new ConcurrentHashMap<>();
    private long sent;

    private Deployment(Path directory, EmbeddedKafka kafka, SchemaRegistryEndpoint registry) {
        this.directory = directory;
        this.kafka = kafka;
        this.registry = registry;
    }

    static Deployment open(Path directory) {
        EmbeddedKafka kafka = EmbeddedKafka.start(EmbeddedKafkaSettings.in(directory.resolve("kafka"))
                .withMaxMessageBytes(ServerConfig.of(Map.of()).outputRecordBytes()));
        try {
            return new Deployment(directory, kafka, SchemaRegistryEndpoint.start(directory.resolve("registry"), 0));
        } catch (RuntimeException e) {
            kafka.close();
            throw e;
        }
    }

    String brokers() {
        return kafka.bootstrapServers();
    }

    String registry() {
        return registry.url();
    }

    /** Whether a record belongs to the three hours of the load, and its minute is final. */
    boolean isFinal(Instant time) {
        return time.isBefore(start.plus(Duration.ofHours(KnownLoad.HOURS)));
    }

    /** The committed values of a topic. */
    List<GenericRecord> values(String topic) {
        return TopicRecords.values(brokers(), registry(), topic);
    }

    /** Runs Parley for more messages. */
    void feed(List<Transcript.Line> lines) throws Exception {
        try (Application application = Application.start(config())) {
            send(application, lines);
            awaitHeads();
        }
    }

    /**
     * Runs Parley until every message has an outcome and every minute of the load is final, and checks the verdicts.
     */
    void feed() throws Exception {
        try (Application application = Application.start(config())) {
            send(application, KnownLoad.from(start));
            for (int round = 0; round < CLOSING_ROUNDS; round++) {
                send(application, KnownLoad.now("round" + round + "-"));
            }
            await().atMost(TIMEOUT).pollInterval(Duration.ofSeconds(1)).untilAsserted(this::requireFinalRows);
            awaitHeads();
        }
        requireExpectedVerdicts();
    }

    /** Sends messages to a running Parley, and waits until every one has an outcome. */
    void send(Application application, List<Transcript.Line> lines) throws InterruptedException {
        ApiClient api = new ApiClient(application.uri());
        api.awaitReady(TIMEOUT, new CountDownLatch(1));
        ParleyConfig config = config();
        try (TranscriptProducer producer = new TranscriptProducer(config)) {
            for (Transcript.Line line : lines) {
                producer.send(line, position -> line.expected().ifPresent(verdict -> expected.put(position, verdict)));
            }
            sent += producer.flush();
        }
        assertThat(api.awaitAccounted(sent, TIMEOUT, new CountDownLatch(1))).isTrue();
    }

    /** Waits until the published heads cover all audit records. */
    private void awaitHeads() {
        await().atMost(TIMEOUT).pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> {
            Map<Integer, Long> records = values(TopicNames.DEFAULT.audit()).stream()
                    .collect(Collectors.groupingBy(
                            record -> (int) ((GenericRecord) record.get("log")).get("partition"),
                            Collectors.counting()));
            assertThat(headSizes()).isEqualTo(records);
        });
    }

    /** The number of records in the last published head of each log that is not empty. */
    Map<Integer, Long> headSizes() {
        return values(TopicNames.DEFAULT.auditHead()).stream()
                .filter(head -> (int) head.get("partition") >= 0 && (long) head.get("size") > 0)
                .collect(Collectors.toMap(
                        head -> (int) head.get("partition"), head -> (long) head.get("size"), Math::max));
    }

    private void requireExpectedVerdicts() {
        Map<InputPosition, GenericRecord> audit = new HashMap<>();
        for (GenericRecord record : values(TopicNames.DEFAULT.audit())) {
            GenericRecord source = (GenericRecord) record.get("source");
            InputPosition position = new InputPosition(
                    source.get("topic").toString(), (int) source.get("partition"), (long) source.get("offset"));
            assertThat(audit.put(position, record))
                    .as("%s is audited once", position)
                    .isNull();
        }
        expected.forEach((position, verdict) -> {
            GenericRecord record = audit.get(position);
            if (!"PARKED".equals(verdict.verdict())) {
                assertThat(record).as("audit record of %s", position).isNotNull();
                assertThat(record.get("verdict").toString()).as("%s", position).isEqualTo(verdict.verdict());
            }
        });
        assertThat(expected).hasSizeGreaterThan(1_000);
    }

    /** The rows of the load count each audit record, and each code and recipient, once. */
    private void requireFinalRows() {
        List<GenericRecord> audit = values(TopicNames.DEFAULT.audit()).stream()
                .filter(record -> isFinal((Instant) ((GenericRecord) record.get("source")).get("timestamp")))
                .toList();
        assertThat(total(TopicNames.DEFAULT.traffic(), "messages")).isEqualTo(audit.size());
        assertThat(total(TopicNames.DEFAULT.violation(), "messages")).isEqualTo(sum(audit, AuditOracle::codes));
        assertThat(total(TopicNames.DEFAULT.edge(), "messages")).isEqualTo(sum(audit, AuditOracle::edges));
        assertThat(total(TopicNames.DEFAULT.definitionChange(), "changes")).isEqualTo(sum(audit, AuditOracle::changes));
        assertThat(total(TopicNames.DEFAULT.turnaround(), "items")).isPositive();
    }

    private long total(String topic, String column) {
        return sum(
                values(topic).stream()
                        .filter(row -> isFinal((Instant) row.get("windowStart")))
                        .toList(),
                row -> (long) row.get(column));
    }

    private static long sum(List<GenericRecord> records, ToLongFunction<GenericRecord> number) {
        return records.stream().mapToLong(number).sum();
    }

    private ParleyConfig config() {
        return config(Map.of());
    }

    /** The configuration of an instance. */
    ParleyConfig config(Map<String, Object> more) {
        Map<String, Object> values = new HashMap<>();
        values.put(ParleyConfig.BOOTSTRAP_SERVERS, brokers());
        values.put(ParleyConfig.REGISTRY_URL, registry());
        values.put(ParleyConfig.STATE_DIR, directory.resolve("state").toString());
        values.put(ParleyConfig.PARTITIONS, PARTITIONS);
        values.put(ParleyConfig.REPLICATION, (short) 1);
        values.put(HttpKeys.PORT, 0);
        values.put(ParleyConfig.STATE_FREE_BYTES, 0L);
        values.put(HttpKeys.STOP_NOTICE_MS, 0);
        values.put(ParleyConfig.INPUT_TIME, "producer");
        values.put(ParleyConfig.TRAFFIC_GRACE_MS, GRACE.toMillis());
        // A pause of the load must not close its minutes.
        values.put(ParleyConfig.TRAFFIC_PAUSE_MS, GRACE.toMillis());
        // A patch that expired would be counted late.
        values.put(ParleyConfig.PARKING_MS, Duration.ofDays(1).toMillis());
        values.put(AuditKeys.HEADS_INTERVAL_MS, 1_000);
        values.putAll(more);
        return ServerConfig.of(values);
    }

    @Override
    public void close() throws IOException {
        try (kafka;
                registry) {
            // Both are closed, even if the first one fails.
        }
    }
}
