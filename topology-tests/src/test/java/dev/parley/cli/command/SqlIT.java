package dev.parley.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.CspIntent;
import dev.parley.avro.DefinitionChangeCount;
import dev.parley.avro.EdgeCount;
import dev.parley.avro.OpenItem;
import dev.parley.avro.PatchCount;
import dev.parley.avro.TrafficCount;
import dev.parley.avro.TurnaroundCount;
import dev.parley.avro.ViolationCount;
import dev.parley.cli.CommandRun;
import dev.parley.cli.api.ApiClient;
import dev.parley.cli.environment.CommandResult;
import dev.parley.cli.environment.EmbeddedEnvironment;
import dev.parley.cli.environment.RunningParley;
import dev.parley.encoding.ByteBuffers;
import dev.parley.serde.AvroSerdes;
import dev.parley.server.lifecycle.Application;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.kafka.StreamsSettings;
import dev.parley.topology.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code parley sql} over the topics of a running deployment, compared with a consumer's count of them. */
@Tag("long")
class SqlIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String NO_REGISTRY = "http://127.0.0.1:1";
    private static final Instant MINUTE = Instant.parse("2026-01-31T10:00:00Z");

    @TempDir
    private Path directory;

    @Test
    void everyTableHasTheRowsOfTheTopicsAndNothingRedacted() throws Exception {
        try (EmbeddedEnvironment environment = EmbeddedEnvironment.shared(directory);
                Application application = Application.start(environment.config())) {
            ParleyConfig config = environment.config();
            RunningParley.feed(config, new ApiClient(application.uri()), TIMEOUT);
            writeTraffic(config);
            AuditRecord redacted = environment.topics().audit().stream()
                    .filter(record -> record.getVerdict().equals("REJECTED")
                            && record.getMessage() != null
                            && record.getMessage().getSubit() != null)
                    .findFirst()
                    .orElseThrow();
            redact(config, redacted);
            List<AuditRecord> audit = environment.topics().audit();

            assertThat(texts(config, "SELECT hash FROM audit"))
                    .containsExactlyInAnyOrderElementsOf(audit.stream()
                            .map(record -> HexFormat.of().formatHex(ByteBuffers.of(record.getHash())))
                            .toList());
            assertThat(counts(config, "SELECT protocol, count(*) AS n FROM messages GROUP BY protocol"))
                    .isEqualTo(count(
                            audit,
                            SqlIT::isMessage,
                            record -> record.getMessage().getProtocol()));
            assertThat(counts(config, "SELECT code, count(*) AS n FROM dead_letters GROUP BY code"))
                    .isEqualTo(count(audit, record -> !isAccepted(record), AuditRecord::getCode));
            assertThat(counts(config, "SELECT id, count(*) AS n FROM checkpoints WHERE patch IS NOT NULL GROUP BY id"))
                    .isEqualTo(count(
                            audit,
                            SqlIT::isPatch,
                            record -> record.getMessage().getCsp().getTarget()));
            assertThat(counts(config, "SELECT checkpoint, count(*) AS n FROM definitions GROUP BY checkpoint"))
                    .containsKeys("C1");
            assertThat(counts(config, "SELECT windowStart, sum(messages) AS n FROM traffic GROUP BY windowStart"))
                    .containsEntry(MINUTE.toString(), 7L);
            theAnalyticsTopicsHaveTheirRows(config);
            assertThat(texts(config, "SELECT chain FROM audit WHERE redacted IS NOT NULL"))
                    .containsExactly(redacted.getChain());
            thePayloadIsGone(config, redacted);
            theSelectionLimitsTheAudit(config, audit);
            aParquetFileHasTheSameRecords(config, audit);
            anUnavailableRegistryIsNamed(config);
        }
    }

    /** Rows that this test writes in a namespace of its own; an open item is its latest record. */
    private static void theAnalyticsTopicsHaveTheirRows(ParleyConfig config) throws Exception {
        write(config, topics -> {
            Map<String, byte[]> rows = new LinkedHashMap<>();
            rows.put(config.topics().violation(), topics.violation().write(violation()));
            rows.put(config.topics().edge(), topics.edge().write(edge()));
            rows.put(config.topics().turnaround(), topics.turnaround().write(turnaround()));
            rows.put(config.topics().patch(), topics.patch().write(patch()));
            rows.put(
                    config.topics().definitionChange(),
                    topics.definitionChange().write(change()));
            return rows;
        });
        assertThat(counts(config, "SELECT code, sum(messages) AS n FROM violations WHERE namespace = 'sql' GROUP BY 1"))
                .isEqualTo(Map.of("SLIP_DUPLICATE_REQUEST", 5L));
        assertThat(counts(config, "SELECT recipient, sum(rejected) AS n FROM edges WHERE namespace = 'sql' GROUP BY 1"))
                .isEqualTo(Map.of("B", 2L));
        assertThat(counts(
                        config, "SELECT agent, sum(within10s) AS n FROM turnaround WHERE namespace = 'sql' GROUP BY 1"))
                .isEqualTo(Map.of("B", 7L));
        assertThat(counts(config, "SELECT context, sum(branches) AS n FROM patches WHERE namespace = 'sql' GROUP BY 1"))
                .isEqualTo(Map.of("plan", 1L));
        assertThat(
                        counts(
                                config,
                                "SELECT definition, sum(removed) AS n FROM definition_changes WHERE namespace = 'sql' GROUP BY 1"))
                .isEqualTo(Map.of("GOAL", 3L));
        for (long sequence : new long[] {1, 2, 3}) {
            openItem(config, sequence, "A");
        }
        openItem(config, 2, null);
        openItem(config, 3, "B");
        assertThat(counts(config, "SELECT agent, sequence AS n FROM open_items WHERE namespace = 'sql|x'"))
                .isEqualTo(Map.of("A", 1L, "B", 3L));
    }

    private static void openItem(ParleyConfig config, long sequence, String agent) throws Exception {
        OpenItem item = agent == null
                ? null
                : new OpenItem("sql|x", "SLIP", "7", sequence, "TASK", "4", null, agent, "0", MINUTE);
        try (AvroSerdes serdes = AvroSerdes.fromConfig(config.registrySettings());
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        StreamsSettings.clientSettings(config), new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(
                            config.topics().openItem(),
                            ("sql%7Cx|SLIP|7|" + sequence).getBytes(StandardCharsets.UTF_8),
                            item == null
                                    ? null
                                    : new Topics(config.topics(), serdes)
                                            .openItem()
                                            .write(item)))
                    .get();
        }
    }

    private static void write(ParleyConfig config, Function<Topics, Map<String, byte[]>> rows) throws Exception {
        try (AvroSerdes serdes = AvroSerdes.fromConfig(config.registrySettings());
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        StreamsSettings.clientSettings(config), new ByteArraySerializer(), new ByteArraySerializer())) {
            for (Map.Entry<String, byte[]> row :
                    rows.apply(new Topics(config.topics(), serdes)).entrySet()) {
                producer.send(new ProducerRecord<>(row.getKey(), new byte[] {1}, row.getValue()))
                        .get();
            }
        }
    }

    private static ViolationCount violation() {
        return ViolationCount.newBuilder()
                .setWindowStart(MINUTE)
                .setWindowEnd(MINUTE.plusSeconds(60))
                .setNamespace("sql")
                .setProtocol("SLIP")
                .setKind("VIOLATION")
                .setCode("SLIP_DUPLICATE_REQUEST")
                .setMessages(5)
                .build();
    }

    private static EdgeCount edge() {
        return EdgeCount.newBuilder()
                .setWindowStart(MINUTE)
                .setWindowEnd(MINUTE.plusSeconds(60))
                .setNamespace("sql")
                .setProtocol("SLIP")
                .setSender("A")
                .setRecipient("B")
                .setMessages(6)
                .setAccepted(4)
                .setFlagged(0)
                .setRejected(2)
                .build();
    }

    private static TurnaroundCount turnaround() {
        TurnaroundCount row = new TurnaroundCount();
        TurnaroundCount.getClassSchema().getFields().stream()
                .filter(field -> field.schema().getType() == Schema.Type.LONG
                        && field.schema().getLogicalType() == null)
                .forEach(field -> row.put(field.pos(), 7L));
        row.setWindowStart(MINUTE);
        row.setWindowEnd(MINUTE.plusSeconds(60));
        row.setNamespace("sql");
        row.setProtocol("SLIP");
        row.setAgent("B");
        row.setKind("TASK");
        row.setOutcome("RESULT");
        return row;
    }

    private static PatchCount patch() {
        return PatchCount.newBuilder()
                .setWindowStart(MINUTE)
                .setWindowEnd(MINUTE.plusSeconds(60))
                .setNamespace("sql")
                .setContext("plan")
                .setVerdict("ACCEPTED")
                .setPatches(3)
                .setApplied(3)
                .setDuplicates(0)
                .setBranches(1)
                .setReleased(0)
                .setExpired(0)
                .setTotalParkedMs(0)
                .setMaxParkedMs(0)
                .build();
    }

    private static DefinitionChangeCount change() {
        return DefinitionChangeCount.newBuilder()
                .setWindowStart(MINUTE)
                .setWindowEnd(MINUTE.plusSeconds(60))
                .setNamespace("sql")
                .setContext("plan")
                .setDefinition("GOAL")
                .setChanges(3)
                .setAdded(0)
                .setReplaced(0)
                .setRemoved(3)
                .build();
    }

    private static void anUnavailableRegistryIsNamed(ParleyConfig config) {
        for (String table : List.of("audit", "traffic")) {
            CommandRun run = run(
                    config,
                    "SELECT * FROM " + table,
                    "--set",
                    ParleyConfig.REGISTRY_URL + "=" + NO_REGISTRY,
                    "--set",
                    "schema.registry.max.retries=0");
            assertThat(run.exit()).isEqualTo(1);
            assertThat(run.err()).contains("the Schema Registry at " + NO_REGISTRY);
            assertThat(run.out()).isEmpty();
        }
    }

    private void thePayloadIsGone(ParleyConfig config, AuditRecord redacted) {
        String payload = StandardCharsets.UTF_8
                .decode(redacted.getMessage().getRaw().duplicate())
                .toString();
        for (String table : List.of("audit", "messages", "dead_letters")) {
            List<String> rows = texts(
                    config,
                    "SELECT t::VARCHAR AS row FROM " + table + " t WHERE sourceTopic = '"
                            + redacted.getSource().getTopic() + "' AND sourcePartition = "
                            + redacted.getSource().getPartition() + " AND sourceOffset = "
                            + redacted.getSource().getOffset());
            assertThat(rows).hasSize(table.equals("messages") ? 0 : 1);
            assertThat(rows.toString()).doesNotContain(payload);
        }
    }

    private void theSelectionLimitsTheAudit(ParleyConfig config, List<AuditRecord> audit) {
        String chain = audit.get(0).getChain();
        assertThat(counts(config, "SELECT chain, count(*) AS n FROM audit GROUP BY chain", "--chain", chain))
                .isEqualTo(count(audit, record -> record.getChain().equals(chain), AuditRecord::getChain));
        CommandRun unknown = run(config, "SELECT * FROM audit", "--chain", "default|SLIP|none");
        assertThat(unknown.exit()).isEqualTo(1);
        assertThat(unknown.err()).contains("no record of chain default|SLIP|none");
    }

    private void aParquetFileHasTheSameRecords(ParleyConfig config, List<AuditRecord> audit) {
        Path file = directory.resolve("audit.parquet");
        CommandRun export =
                CommandRun.of(CommandResult.arguments(config, "export", "--format", "parquet", "--out", file.toString())
                        .toArray(String[]::new));
        assertThat(export.exit()).as(export.err()).isZero();
        CommandRun run =
                CommandRun.of("sql", "SELECT verdict AS name, count(*) AS n FROM audit GROUP BY 1", file.toString());
        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(counts(run)).isEqualTo(count(audit, record -> true, AuditRecord::getVerdict));
        assertThat(directory.resolve("audit.parquet.part")).doesNotExist();
    }

    private static boolean isAccepted(AuditRecord record) {
        return record.getVerdict().equals("ACCEPTED") || record.getVerdict().equals("FLAGGED");
    }

    private static boolean isMessage(AuditRecord record) {
        return isAccepted(record) && record.getMessage() != null;
    }

    private static boolean isPatch(AuditRecord record) {
        return record.getVerdict().equals("ACCEPTED")
                && record.getMessage() != null
                && record.getMessage().getCsp() != null
                && record.getMessage().getCsp().getIntent() == CspIntent.PATCH
                && !record.getWarnings().contains("CSP_DUPLICATE");
    }

    private static Map<String, Long> count(
            List<AuditRecord> audit, Predicate<AuditRecord> which, Function<AuditRecord, String> by) {
        Map<String, Long> counts =
                audit.stream().filter(which).collect(Collectors.groupingBy(by, Collectors.counting()));
        assertThat(counts).isNotEmpty();
        return counts;
    }

    private static CommandRun run(ParleyConfig config, String query, String... options) {
        List<String> words = CommandResult.arguments(config, "sql", query);
        words.addAll(List.of(options));
        return CommandRun.of(words.toArray(String[]::new));
    }

    private static List<JsonNode> rows(ParleyConfig config, String query, String... options) {
        CommandRun run = run(config, query, options);
        assertThat(run.exit()).as(run.err()).isZero();
        return run.json();
    }

    private static List<String> texts(ParleyConfig config, String query) {
        return rows(config, query).stream()
                .map(row -> row.elements().next().asText())
                .toList();
    }

    private static Map<String, Long> counts(ParleyConfig config, String query, String... options) {
        return counts(run(config, query, options));
    }

    private static Map<String, Long> counts(CommandRun run) {
        assertThat(run.exit()).as(run.err()).isZero();
        return run.json().stream()
                .collect(Collectors.toMap(
                        row -> row.elements().next().asText(),
                        row -> row.path("n").asLong()));
    }

    private static void redact(ParleyConfig config, AuditRecord record) {
        CommandResult.redact(config, record);
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(texts(config, "SELECT chain FROM audit WHERE redaction IS NOT NULL"))
                        .hasSize(1));
    }

    /** Counts that Parley would write a minute later. */
    private static void writeTraffic(ParleyConfig config) throws Exception {
        try (AvroSerdes serdes = AvroSerdes.fromConfig(config.registrySettings());
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        StreamsSettings.clientSettings(config), new ByteArraySerializer(), new ByteArraySerializer())) {
            for (long messages : new long[] {3, 4}) {
                TrafficCount count = new TrafficCount(
                        MINUTE,
                        MINUTE.plusSeconds(60),
                        "default",
                        "SLIP",
                        "ASK",
                        null,
                        "ACCEPTED",
                        messages,
                        false,
                        false);
                producer.send(new ProducerRecord<>(
                                config.topics().traffic(),
                                new byte[] {1},
                                new Topics(config.topics(), serdes).traffic().write(count)))
                        .get();
            }
        }
    }
}
