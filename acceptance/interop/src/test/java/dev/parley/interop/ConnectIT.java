package dev.parley.interop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.cli.transcript.Transcript;
import dev.parley.protocol.TopicNames;
import java.nio.file.Path;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The connector of deploy/connect/postgresql.json, with a worker that is killed, compared with the topics. */
@Tag("long")
@ExtendWith(SharedDeployment.class)
class ConnectIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(240);
    private static final Path PLUGINS = Path.of("acceptance", "interop", "target", "plugins");
    private static final Path PARLEY = Path.of("streams-app", "cli", "target", "lib");
    private static final String CONNECTOR = "postgresql.json";
    private static final String GROUP = "connect-parley-postgresql";
    private static final int LONG_NAME = 3_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The tables that the connector makes, with their topics. */
    private static final Map<String, String> TABLES = new TreeMap<>(Map.of(
            "audit", TopicNames.DEFAULT.audit(),
            "checkpoints", TopicNames.DEFAULT.checkpoint(),
            "traffic", TopicNames.DEFAULT.traffic(),
            "violations", TopicNames.DEFAULT.violation(),
            "edges", TopicNames.DEFAULT.edge(),
            "turnaround", TopicNames.DEFAULT.turnaround(),
            "patches", TopicNames.DEFAULT.patch(),
            "definition_changes", TopicNames.DEFAULT.definitionChange()));

    @TempDir
    private Path directory;

    private PostgresServer postgres;
    private Deployment deployment;

    @Test
    void everyRecordIsARowOnceAfterTheWorkerWasKilled(Deployment shared) throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            postgres = server;
            deployment = shared;
            long before;
            try (ConnectWorker worker = worker()) {
                await().atMost(TIMEOUT)
                        .pollInterval(Duration.ofMillis(50))
                        .until(() -> worker.isFailed() || rows("audit") > 0);
                worker.kill();
                before = rows("audit");
                assertThat(before).as(worker.log()).isPositive();
            }
            assertThat(committed())
                    .as("offsets, so that the next worker reads all records again")
                    .isEmpty();
            deployment.feed(hostile());
            try (ConnectWorker worker = worker()) {
                await().atMost(TIMEOUT).pollInterval(Duration.ofSeconds(1)).until(() -> {
                    worker.requireHealthy();
                    return isComplete();
                });
            }
            for (Map.Entry<String, String> table : TABLES.entrySet()) {
                assertSameRows(table.getKey(), table.getValue());
            }
            assertThat(rows("audit")).isGreaterThan(before);
            thePageAnswersItsQuestions();
        }
    }

    private ConnectWorker worker() throws Exception {
        return ConnectWorker.start(
                directory,
                Map.of("debezium", PLUGINS.resolve("debezium-connector-jdbc"), "parley", PARLEY),
                CONNECTOR,
                Map.of(
                        "bootstrap.servers",
                        deployment.brokers(),
                        // No offset is committed before the worker is killed.
                        "offset.flush.interval.ms",
                        "3600000"),
                Map.of(
                        "SCHEMA_REGISTRY_URL",
                        deployment.registry(),
                        "POSTGRES_URL",
                        postgres.url(),
                        "POSTGRES_USER",
                        PostgresServer.USER,
                        "POSTGRES_PASSWORD",
                        postgres.password()));
    }

    /** Names that PostgreSQL rejects in text, or in an index. */
    private static List<Transcript.Line> hostile() {
        StringBuilder name = new StringBuilder();
        new Random(18).ints(LONG_NAME, 'a', 'z').forEach(c -> name.append((char) c));
        return List.of(
                line("nul", "{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":{\"session\":\"nul\\u0000byte\"}}"),
                line(
                        name.toString(),
                        "CSP/1\nFROM a\nTO b\nCTX C0\nINTENT PATCH\n\nPATCH P1\nBASE C0\n"
                                + "+ DEF GOAL = ship\nAPPLY -> C1\n"));
    }

    private static Transcript.Line line(String key, String wire) {
        return new Transcript.Line(
                key.getBytes(UTF_8),
                Map.of("parley-namespace", "hostile"),
                wire.getBytes(UTF_8),
                null,
                null,
                Optional.empty());
    }

    private Map<?, OffsetAndMetadata> committed() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", deployment.brokers()))) {
            return admin.listConsumerGroupOffsets(GROUP)
                    .partitionsToOffsetAndMetadata()
                    .get();
        }
    }

    private boolean isComplete() throws SQLException {
        for (Map.Entry<String, String> table : TABLES.entrySet()) {
            if (rows(table.getKey()) < TopicRecords.count(deployment.brokers(), table.getValue())) {
                return false;
            }
        }
        return true;
    }

    private long rows(String table) throws SQLException {
        try (Connection connection = postgres.connect();
                Statement statement = connection.createStatement();
                ResultSet exists = statement.executeQuery("SELECT to_regclass('" + table + "') IS NOT NULL")) {
            exists.next();
            if (!exists.getBoolean(1)) {
                return 0;
            }
            try (ResultSet count = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
                count.next();
                return count.getLong(1);
            }
        }
    }

    private void assertSameRows(String table, String topic) throws Exception {
        Map<String, Map<String, Object>> rows = new HashMap<>();
        try (Connection connection = postgres.connect();
                Statement statement = connection.createStatement();
                ResultSet results = statement.executeQuery("SELECT * FROM " + table)) {
            while (results.next()) {
                Map<String, Object> row = new LinkedHashMap<>();
                for (int i = 1; i <= results.getMetaData().getColumnCount(); i++) {
                    row.put(results.getMetaData().getColumnName(i), value(results.getObject(i)));
                }
                String position = row.remove("__connect_partition") + "@" + row.remove("__connect_offset");
                row.remove("__connect_topic");
                assertThat(rows.put(position, row)).as(table + " " + position).isNull();
            }
        }
        Map<String, Map<String, Object>> expected = new HashMap<>();
        for (ConsumerRecord<byte[], Object> record :
                TopicRecords.records(deployment.brokers(), deployment.registry(), topic)) {
            GenericRecord value = (GenericRecord) record.value();
            Map<String, Object> row = new LinkedHashMap<>();
            for (Schema.Field field : value.getSchema().getFields()) {
                Object plain = isNested(value.get(field.pos()))
                        ? json(value.get(field.pos()))
                        : PlainValues.of(value.get(field.pos()));
                row.put(field.name().toLowerCase(java.util.Locale.ROOT), withoutNul(plain));
            }
            expected.put(record.partition() + "@" + record.offset(), row);
        }
        assertThat(rows).as(table).containsOnlyKeys(expected.keySet());
        expected.forEach((position, row) ->
                assertThat(rows.get(position)).as(table + " " + position).containsExactlyInAnyOrderEntriesOf(row));
    }

    private static boolean isNested(Object value) {
        return value instanceof GenericRecord
                || value instanceof Map
                || value instanceof List<?> list && !list.isEmpty() && list.get(0) instanceof GenericRecord;
    }

    private static Object withoutNul(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(ConnectIT::withoutNul).toList();
        }
        return value instanceof String text ? text.replace('\0', '\uFFFD') : value;
    }

    /** A value of the database in the form of {@link PlainValues}; JSON as the value of {@link #json}. */
    private static Object value(Object value) throws Exception {
        if (value instanceof Array array) {
            return Arrays.asList((Object[]) array.getArray());
        }
        if (value instanceof Timestamp time) {
            return time.toLocalDateTime().toInstant(ZoneOffset.UTC);
        }
        if (value instanceof LocalDateTime time) {
            return time.toInstant(ZoneOffset.UTC);
        }
        if (value instanceof org.postgresql.util.PGobject json) {
            JsonNode tree = JSON.readTree(json.getValue());
            return tree.isArray() && tree.isEmpty() ? List.of() : tree;
        }
        return PlainValues.of(value);
    }

    private static JsonNode json(Object value) {
        if (value instanceof GenericRecord record) {
            var object = JSON.createObjectNode();
            record.getSchema().getFields().forEach(field -> object.set(field.name(), json(record.get(field.pos()))));
            return object;
        }
        if (value instanceof List<?> list) {
            var array = JSON.createArrayNode();
            list.forEach(element -> array.add(json(element)));
            return array;
        }
        if (value instanceof Map<?, ?> map) {
            var object = JSON.createObjectNode();
            map.forEach((key, element) -> object.set(key.toString(), json(element)));
            return object;
        }
        Object plain = withoutNul(PlainValues.of(value));
        // A number that was read from text has the smallest type.
        return plain instanceof Long number && number == number.intValue()
                ? JSON.getNodeFactory().numberNode(number.intValue())
                : JSON.valueToTree(plain instanceof Instant time ? time.toString() : plain);
    }

    private void thePageAnswersItsQuestions() throws Exception {
        List<String> queries = new ArrayList<>(SqlPage.blocks("postgresql").values());
        assertThat(queries).hasSizeGreaterThanOrEqualTo(3);
        try (Connection connection = postgres.connect();
                Statement statement = connection.createStatement()) {
            for (String query : queries) {
                try (ResultSet results = statement.executeQuery(query)) {
                    assertThat(results.next()).as(query).isTrue();
                }
            }
        }
    }
}
