package dev.parley.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.CspIntent;
import dev.parley.avro.TrafficCount;
import dev.parley.config.ParleyConfig;
import dev.parley.serde.AvroSerdes;
import dev.parley.server.Application;
import dev.parley.stage.ByteBuffers;
import dev.parley.topology.setup.StreamsSettings;
import dev.parley.topology.setup.Topics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
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
        try (EmbeddedEnvironment environment = EmbeddedEnvironment.open(directory);
                Application application = Application.start(environment.config())) {
            ParleyConfig config = environment.config();
            SampleTraffic.feed(config, application, TIMEOUT);
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
            assertThat(texts(config, "SELECT chain FROM audit WHERE redacted IS NOT NULL"))
                    .containsExactly(redacted.getChain());
            thePayloadIsGone(config, redacted);
            theSelectionLimitsTheAudit(config, audit);
            aParquetFileHasTheSameRecords(config, audit);
            anUnavailableRegistryIsNamed(config);
        }
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
        CommandResult result = CommandResult.by(
                config,
                "redact",
                "--chain",
                record.getChain(),
                "--sequence",
                Long.toString(record.getSequence()),
                "--reason",
                "why");
        assertThat(result.exit()).as(result.all()).isZero();
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
                        null,
                        null);
                producer.send(new ProducerRecord<>(
                                Topics.TRAFFIC,
                                new byte[] {1},
                                new Topics(serdes).traffic().write(count)))
                        .get();
            }
        }
    }
}
