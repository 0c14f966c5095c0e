package dev.parley.sql;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.CspIntent;
import dev.parley.cli.CommandRun;
import dev.parley.cli.SqlEngine.Limits;
import dev.parley.encoding.ByteBuffers;
import dev.parley.log.export.ExportFormat;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code parley sql} over exports of the sample traffic, in each format. */
class SqlCommandTest {
    @TempDir
    private static Path directory;

    private static List<AuditRecord> records;

    @BeforeAll
    static void export() throws Exception {
        records = SampleTrail.records();
        SampleTrail.export(directory.resolve("export.jsonl"), ExportFormat.JSONL, records);
        SampleTrail.export(directory.resolve("export.parquet"), new DuckDbEngine().parquet(), records);
    }

    private static CommandRun run(String query, String file, String... options) {
        return CommandRun.of(java.util.stream.Stream.concat(
                        java.util.stream.Stream.of(
                                "sql", query, directory.resolve(file).toString()),
                        java.util.stream.Stream.of(options))
                .toArray(String[]::new));
    }

    @Test
    void brokersAreCheckedFirstAsParleyCheckDoes() {
        CommandRun run = CommandRun.of("sql", "SELECT 1", "--set", "kafka.security.protocol=NONE");

        assertThat(run.exit()).isPositive();
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("CLIENT_SETTINGS (kafka.*): No client can be created from these settings: ");
    }

    private static List<JsonNode> rows(String query, String file) {
        CommandRun run = run(query, file);
        assertThat(run.err()).isEmpty();
        assertThat(run.exit()).isZero();
        return run.json();
    }

    /** The rows of a query with a name and a number. */
    private static Map<String, Long> counts(String query, String file) {
        Map<String, Long> counts = new LinkedHashMap<>();
        rows(query, file).forEach(row -> {
            List<JsonNode> values = row.valueStream().toList();
            counts.put(values.get(0).asText(), values.get(1).asLong());
        });
        return counts;
    }

    private static Map<String, Long> count(Function<AuditRecord, String> by) {
        return records.stream().collect(Collectors.groupingBy(by, Collectors.counting()));
    }

    private static boolean passed(AuditRecord record) {
        return record.getVerdict().equals("ACCEPTED") || record.getVerdict().equals("FLAGGED");
    }

    private static boolean isAppliedPatch(AuditRecord record) {
        AgentMessage message = record.getMessage();
        return record.getVerdict().equals("ACCEPTED")
                && message != null
                && message.getCsp() != null
                && message.getCsp().getIntent() == CspIntent.PATCH
                && !record.getWarnings().contains("CSP_DUPLICATE");
    }

    /** Spark and pandas take times without a zone for local times. */
    @Test
    void timesInParquetAreAdjustedToUtc() throws Exception {
        try (Database database = Database.open(new Limits(64, 1, 1));
                Statement statement = database.connection().createStatement();
                ResultSet columns = statement.executeQuery("SELECT name, logical_type FROM parquet_schema("
                        + Database.literal(directory.resolve("export.parquet"))
                        + ") WHERE logical_type LIKE 'Timestamp%'")) {
            List<String> names = new ArrayList<>();
            while (columns.next()) {
                names.add(columns.getString(1));
                assertThat(columns.getString(2)).contains("isAdjustedToUTC=1");
            }
            assertThat(names).contains("time", "producerTime");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"export.jsonl", "export.parquet"})
    void everyTableHasTheRowsThatACountOfTheRecordsGives(String file) {
        assertThat(counts("SELECT verdict, count(*) FROM audit GROUP BY verdict", file))
                .isEqualTo(count(AuditRecord::getVerdict));

        Map<String, Long> passed = records.stream()
                .filter(SqlCommandTest::passed)
                .collect(Collectors.groupingBy(record -> record.getMessage().getProtocol(), Collectors.counting()));
        assertThat(counts("SELECT protocol, count(*) FROM messages GROUP BY protocol", file))
                .isEqualTo(passed);

        Map<String, Long> definitions = new HashMap<>();
        for (AuditRecord record : records) {
            if (isAppliedPatch(record)) {
                record.getMessage()
                        .getCsp()
                        .getOperations()
                        .forEach(operation -> definitions.merge(operation.getName(), 1L, Long::sum));
            } else if (record.getVerdict().equals("ACCEPTED")
                    && record.getMessage().getLambda() != null) {
                record.getMessage()
                        .getLambda()
                        .getDefinitions()
                        .forEach(definition -> definitions.merge(definition.getName(), 1L, Long::sum));
            }
        }
        assertThat(definitions).hasSizeGreaterThan(5);
        assertThat(counts("SELECT name, count(*) FROM definitions GROUP BY name", file))
                .isEqualTo(definitions);
    }

    @ParameterizedTest
    @ValueSource(strings = {"export.jsonl", "export.parquet"})
    void everyColumnHasTheValueOfTheRecord(String file) {
        List<JsonNode> rows = rows("SELECT * FROM audit", file);

        assertThat(rows).hasSameSizeAs(records);
        Map<String, JsonNode> byHash =
                rows.stream().collect(Collectors.toMap(row -> row.path("hash").asText(), Function.identity()));
        for (AuditRecord record : records) {
            JsonNode row = byHash.get(hex(ByteBuffers.of(record.getHash())));
            assertThat(row).isNotNull();
            for (Column<AuditRecord> column : Tables.AUDIT_COLUMNS) {
                assertThat(asJson(row.path(column.name()), column))
                        .as("%s of %s", column.name(), row)
                        .isEqualTo(expected(column.value().apply(record)));
            }
        }
    }

    private static String asJson(JsonNode value, Column<AuditRecord> column) {
        return value.isNull()
                ? null
                : value.isTextual() && !column.type().equals("JSON") ? value.asText() : value.toString();
    }

    private static String expected(Object value) {
        if (value instanceof byte[] bytes) {
            return hex(bytes);
        }
        if (value instanceof List<?> items) {
            return items.stream().map(item -> '"' + item.toString() + '"').collect(Collectors.joining(",", "[", "]"));
        }
        return value == null ? null : value.toString();
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    @Test
    void nestedPartsAreReadWithTheArrowsOfJson() {
        assertThat(counts(
                        "SELECT slip->>'act' AS act, count(*) FROM messages WHERE slip IS NOT NULL GROUP BY act",
                        "export.jsonl"))
                .isEqualTo(records.stream()
                        .filter(SqlCommandTest::passed)
                        .map(AuditRecord::getMessage)
                        .filter(message -> message.getSlip() != null)
                        .collect(Collectors.groupingBy(
                                message -> message.getSlip().getAct().name(), Collectors.counting())));
    }

    @Test
    void tablesAndColumnsAreListed() {
        assertThat(rows("SHOW TABLES", "export.jsonl"))
                .extracting(row -> row.path("name").asText())
                .containsExactlyInAnyOrderElementsOf(Tables.names(true));
        assertThat(rows("DESCRIBE audit", "export.jsonl"))
                .extracting(row -> row.path("column_name").asText()
                        + ' '
                        + row.path("column_type").asText())
                .contains("time TIMESTAMP", "sequence BIGINT", "raw BLOB", "warnings VARCHAR[]", "csp JSON")
                .containsExactlyElementsOf(Tables.AUDIT_COLUMNS.stream()
                        .map(column -> column.name() + ' ' + column.type())
                        .toList());
    }

    @Test
    void noColumnNeedsQuotes() {
        for (String table : Tables.names(true)) {
            List<String> columns = rows("DESCRIBE " + table, "export.jsonl").stream()
                    .map(row -> row.path("column_name").asText())
                    .toList();
            assertThat(columns).hasSizeGreaterThan(8);
            rows("SELECT " + String.join(", ", columns) + " FROM " + table + " LIMIT 1", "export.jsonl");
        }
        Tables.TOPICS.forEach(table -> assertThat(table.columns().stream().map(Column::name))
                .doesNotContain("references", "lambda", "offset"));
    }

    @Test
    void valuesOfAllTypesArePrinted() {
        List<JsonNode> rows = rows(
                "SELECT TIMESTAMP '2026-01-31 10:00:00.5' AS t, DATE '2026-01-31' AS d, 1.50::DECIMAL(9,2) AS dec,"
                        + " 100.00::DECIMAL(9,2) AS hundred,"
                        + " 170141183460469231731687303715884105727::HUGEINT AS huge, 'nan'::DOUBLE AS nan,"
                        + " {'a': [1, 2], 'b': TIMESTAMP '2026-01-31 10:00:00'} AS s, MAP {'k': 'v'} AS m,"
                        + " 'ab'::BLOB AS bytes, NULL AS none, INTERVAL 1 MINUTE AS i,"
                        + " TIMESTAMPTZ '2026-01-31 10:00:00+02' AS tz, true AS yes, '{\"x\":1}'::JSON AS j,"
                        + " 1 AS twice, 2 AS twice",
                "export.jsonl");

        assertThat(rows).hasSize(1);
        assertThat(rows.get(0).toString())
                .isEqualTo("{\"t\":\"2026-01-31T10:00:00.500Z\",\"d\":\"2026-01-31\",\"dec\":1.5,\"hundred\":100,"
                        + "\"huge\":170141183460469231731687303715884105727,\"nan\":\"NaN\","
                        + "\"s\":{\"a\":[1,2],\"b\":\"2026-01-31T10:00:00Z\"},\"m\":{\"k\":\"v\"},"
                        + "\"bytes\":\"6162\",\"none\":null,\"i\":\"00:01:00\",\"tz\":\"2026-01-31T08:00:00Z\","
                        + "\"yes\":true,\"j\":{\"x\":1},\"twice\":1,\"twice_2\":2}");
    }

    @Test
    void timesThatTheTimeZoneOfTheMachineSkipsArePrinted() {
        TimeZone before = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
        try {
            assertThat(rows("SELECT TIMESTAMP '2026-03-08 02:30:00' AS t, [t] AS list", "export.jsonl"))
                    .hasToString("[{\"t\":\"2026-03-08T02:30:00Z\",\"list\":[\"2026-03-08T02:30:00Z\"]}]");
            assertThat(TimeZone.getDefault().getID()).isEqualTo("America/New_York");
        } finally {
            TimeZone.setDefault(before);
        }
    }

    @Test
    void aTableIsPrintedOnRequest() {
        CommandRun run = run(
                "SELECT verdict AS \"a\u001b[31m\", count(*) AS n FROM audit GROUP BY verdict ORDER BY n DESC",
                "export.jsonl",
                "--table");

        assertThat(run.out().lines().findFirst().orElseThrow()).matches("a\\\\u001b\\[31m +n");
        assertThat(run.out().lines().skip(1).map(line -> line.replaceAll(" +", " ")))
                .containsExactlyElementsOf(count(AuditRecord::getVerdict).entrySet().stream()
                        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                        .map(entry -> entry.getKey() + ' ' + entry.getValue())
                        .toList());
        CommandRun none = run("SELECT 1 WHERE false", "export.jsonl", "--table");
        assertThat(none.out()).isEmpty();
        assertThat(none.err()).isEqualTo("No rows.\n");
    }

    @Test
    void errorsHaveACaretAndASuggestion() {
        CommandRun syntax = run("SELECT * FORM audit", "export.jsonl");
        assertThat(syntax.exit()).isEqualTo(2);
        assertThat(syntax.err())
                .startsWith("parley sql: Parser Error: syntax error at or near \"audit\"")
                .contains("LINE 1: SELECT * FORM audit\n", "^");

        CommandRun table = run("SELECT * FROM mesages", "export.jsonl");
        assertThat(table.exit()).isEqualTo(2);
        assertThat(table.err())
                .contains("Table with name mesages does not exist", "messages", "LINE 1", "^")
                .contains(
                        "Tables: audit, messages, definitions, calls.\n",
                        "Only a deployment has: checkpoints, dead_letters, traffic, violations, edges, turnaround,"
                                + " open_items, patches, definition_changes. Omit the export to read its topics.");

        CommandRun column = run("SELECT verdct FROM audit", "export.jsonl");
        assertThat(column.exit()).isEqualTo(2);
        assertThat(column.err()).contains("verdct", "verdict", "LINE 1", "^");
        assertThat(column.out()).isEmpty();
    }

    @Test
    void aWrongCommandLineIsExplained() {
        assertThat(run("SELECT 1", "none.jsonl").exit()).isEqualTo(2);
        assertThat(run("SELECT 1", "export.jsonl", "--chain", "a|CSP|b").err()).contains("use WHERE");
        assertThat(run("SELECT 1", "export.jsonl", "--memory", "1").err())
                .contains("--memory must be an integer >= 64");
        assertThat(run("SELECT 1", "export.jsonl", "--threads", "0").err())
                .contains("--threads must be an integer >= 1");
    }

    @Test
    void aFileThatIsNoExportIsNamed() throws Exception {
        Files.writeString(directory.resolve("notes.txt"), "nothing\n");
        assertThat(run("SELECT 1 FROM audit", "notes.txt").err()).contains("notes.txt is not an export");
        Files.writeString(directory.resolve("empty.jsonl"), "");
        assertThat(run("SELECT 1 FROM audit", "empty.jsonl").err()).contains("The file is empty");
        Files.writeString(directory.resolve("bad.parquet"), "PAR1 and no more");
        CommandRun bad = run("SELECT 1 FROM audit", "bad.parquet");
        assertThat(bad.exit()).isEqualTo(1);
        assertThat(bad.err()).contains("bad.parquet is not an export of this version of Parley");
    }

    @Test
    void anIncompleteExportIsReportedAndTheRestIsCounted() throws Exception {
        List<String> lines = Files.readAllLines(directory.resolve("export.jsonl"));
        Files.write(directory.resolve("cut.jsonl"), lines.subList(0, lines.size() - 1));
        CommandRun cut = run("SELECT count(*) AS n FROM audit", "cut.jsonl");
        assertThat(cut.exit()).isEqualTo(1);
        assertThat(cut.err()).contains("EXPORT_INCOMPLETE");
        assertThat(cut.json().get(0).path("n").asLong()).isEqualTo(records.size());

        byte[] whole = Files.readAllBytes(directory.resolve("export.jsonl"));
        Files.write(directory.resolve("cut.jsonl"), java.util.Arrays.copyOf(whole, whole.length / 2));
        CommandRun damaged = run("SELECT count(*) AS n FROM audit", "cut.jsonl");
        assertThat(damaged.exit()).isEqualTo(1);
        assertThat(damaged.err()).contains("UNREADABLE").contains("cut.jsonl");
    }

    @Test
    void memoryIsLimited() {
        CommandRun run = run(
                "SELECT count(DISTINCT a.i || repeat('x', 1000) || b.i) FROM range(100000) a(i), range(10) b(i)",
                "export.jsonl",
                "--memory",
                "64",
                "--disk",
                "1",
                "--threads",
                "2");

        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.err())
                .contains("Out of Memory Error")
                .contains("--memory")
                .contains("--disk")
                .doesNotContain("PRAGMA", "SET ", "max_temp_directory_size");
    }

    @Test
    void nothingRemainsInTheTemporaryDirectory() throws Exception {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        List<Path> before = ours(temporary);
        run("SELECT count(*) FROM audit", "export.jsonl");
        run("SELECT nothing", "export.jsonl");

        assertThat(ours(temporary)).isEqualTo(before);
    }

    private static List<Path> ours(Path temporary) throws Exception {
        try (java.util.stream.Stream<Path> files = Files.list(temporary)) {
            return files.filter(file -> file.getFileName().toString().startsWith("parley-sql-"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void hostileNamesAndValuesArriveUnchangedAndAreEscaped() throws Exception {
        String detail = "'; DROP TABLE audit; --\u0000\u001b[2J\u202e\"\\\ud83d\ude00";
        byte[] raw = {(byte) 0xFF, 0, 39, (byte) 0xC3};
        AuditRecord first = SampleTrail.undecodable("no bars", raw, detail);
        first.getSource().setTimestamp(java.time.Instant.ofEpochMilli(Long.MAX_VALUE));
        AuditRecord second =
                SampleTrail.undecodable("|UNKNOWN|it's-0", "λ \"text\"".getBytes(StandardCharsets.UTF_8), detail);
        SampleTrail.export(directory.resolve("hostile.jsonl"), ExportFormat.JSONL, List.of(first, second));

        List<JsonNode> rows = rows(
                "SELECT chain, namespace, protocol, conversation, detail, raw, rawText, time FROM audit ORDER BY chain",
                "hostile.jsonl");

        assertThat(rows.get(0).path("conversation").isNull()).isTrue();
        assertThat(rows.get(0).path("detail").asText()).isEqualTo(detail);
        assertThat(rows.get(0).path("raw").asText()).isEqualTo("ff0027c3");
        assertThat(rows.get(0).path("rawText").isNull()).isTrue();
        assertThat(rows.get(0).path("time").asText()).startsWith("+294247-");
        assertThat(rows.get(1).path("conversation").asText()).isEqualTo("it's-0");
        assertThat(rows.get(1).path("protocol").asText()).isEqualTo("UNKNOWN");
        assertThat(rows.get(1).path("rawText").asText()).isEqualTo("λ \"text\"");
        CommandRun table = run("SELECT detail FROM audit", "hostile.jsonl", "--table");
        assertThat(table.out()).doesNotContain("\u001b", "\u202e", "\u0000").contains("\\u001b");
        CommandRun error = run("SELECT \"\u001b[2J\" FROM audit", "hostile.jsonl");
        assertThat(error.err()).doesNotContain("\u001b").contains("\\u001b[2J");
    }
}
