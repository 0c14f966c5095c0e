package dev.parley.interop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.avro.Stage;
import dev.parley.protocol.TopicNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.generic.GenericRecord;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.CloseableIterator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The tables of deploy/flink and the queries of docs/analytics.md on local Flink, compared with the topics. */
@Tag("long")
@ExtendWith(SharedDeployment.class)
class FlinkIT {
    private static final List<String> METADATA = List.of("kafka_partition", "kafka_offset", "event_time");

    private static final Map<String, String> TABLES = new TreeMap<>(Map.ofEntries(
            entry("audit", TopicNames.DEFAULT.audit()),
            entry("audit_heads", TopicNames.DEFAULT.auditHead()),
            entry("audit_tiles", TopicNames.DEFAULT.auditTile()),
            entry("redactions", TopicNames.DEFAULT.redaction()),
            entry("redrives", TopicNames.DEFAULT.redrive()),
            entry("messages", TopicNames.DEFAULT.message()),
            entry("checkpoints", TopicNames.DEFAULT.checkpoint()),
            entry("accounting", TopicNames.DEFAULT.accounting()),
            entry("traffic", TopicNames.DEFAULT.traffic()),
            entry("violations", TopicNames.DEFAULT.violation()),
            entry("edges", TopicNames.DEFAULT.edge()),
            entry("turnaround", TopicNames.DEFAULT.turnaround()),
            entry("patches", TopicNames.DEFAULT.patch()),
            entry("definition_changes", TopicNames.DEFAULT.definitionChange())));

    private static Deployment deployment;
    private static List<GenericRecord> audit;
    private static Map<String, String> page;
    private static TableEnvironment flink;

    @BeforeAll
    static void start(Deployment shared) throws Exception {
        deployment = shared;
        audit = deployment.values(TopicNames.DEFAULT.audit());
        page = new TreeMap<>(SqlPage.blocks("flink"));
        Map<String, String> settings = SqlPage.settings(page.remove("settings"));
        settings.put("parallelism.default", "2");
        flink = TableEnvironment.create(EnvironmentSettings.newInstance()
                .withConfiguration(Configuration.fromMap(settings))
                .build());
        for (String table : SqlPage.tables(deployment.brokers(), deployment.registry())) {
            flink.executeSql(table);
        }
    }

    @Test
    void everyColumnOfEveryRecordIsAsInItsTopic() throws Exception {
        List<String> tables = new ArrayList<>(List.of(flink.listTables()));
        assertThat(tables.remove("dead_letters")).isTrue();
        assertThat(tables.remove("open_items")).isTrue();
        assertThat(tables.remove("parked_items")).isTrue();
        assertThat(tables).containsExactlyElementsOf(TABLES.keySet());
        for (String table : tables) {
            List<Object> records = new ArrayList<>();
            deployment.values(TABLES.get(table)).forEach(record -> records.add(PlainValues.of(record)));
            if (!Set.of("redactions", "redrives").contains(table)) {
                assertThat(records).as(table).isNotEmpty();
            }
            String columns = Stream.of(flink.from(table).getResolvedSchema().getColumnNames())
                    .flatMap(List::stream)
                    .filter(column -> !METADATA.contains(column))
                    .map(column -> '`' + column + '`')
                    .collect(Collectors.joining(", "));
            assertThat(rows("SELECT " + columns + " FROM `" + table + '`'))
                    .as(table)
                    .containsExactlyInAnyOrderElementsOf(records);
        }
    }

    @Test
    void deadLettersHaveTheirBytesAndHeaders() throws Exception {
        Map<Object, Long> expected = new TreeMap<>();
        for (Stage stage : TopicNames.DEAD_LETTER_STAGES) {
            String topic = TopicNames.DEFAULT.deadLetters(stage);
            long count = TopicRecords.count(deployment.brokers(), topic);
            if (count > 0) {
                expected.put(topic, count);
            }
        }
        assertThat(expected).hasSize(3);
        Map<Object, Long> counted = new TreeMap<>();
        rows("SELECT `topic`, COUNT(`headers`['__streams.errors.topic']) FROM dead_letters GROUP BY `topic`")
                .forEach(row -> counted.put(field(row, 0), (Long) field(row, 1)));
        assertThat(counted).isEqualTo(expected);
    }

    @Test
    void everyQueryOfThePageIsTested() {
        assertThat(page).containsOnlyKeys("definitions", "doubled", "recoveries", "rejections", "tools", "turnaround");
    }

    @Test
    void rejectionsPerAgentAndHour() throws Exception {
        assertSameRows("rejections", new AuditOracle(ofTheLoad()).rejections());
    }

    @Test
    void mostChangedDefinitions() throws Exception {
        assertSameRows("definitions", new AuditOracle(ofTheLoad()).definitions());
    }

    @Test
    void turnaroundPercentiles() throws Exception {
        assertSameRows("turnaround", AuditOracle.turnaround(deployment.values(TopicNames.DEFAULT.turnaround())));
    }

    @Test
    void callsOfEachTool() throws Exception {
        assertSameRows("tools", AuditOracle.tools(deployment.values(TopicNames.DEFAULT.turnaround())));
    }

    /** Tombstones delete rows, so the table has those keys of the topic whose last value is not null. */
    @Test
    void openItemsAreThoseThatHaveNoResult() throws Exception {
        Map<String, Object> expected = new TreeMap<>();
        for (ConsumerRecord<byte[], Object> record :
                TopicRecords.records(deployment.brokers(), deployment.registry(), TopicNames.DEFAULT.openItem())) {
            expected.remove(new String(record.key(), UTF_8));
            if (record.value() != null) {
                expected.put(new String(record.key(), UTF_8), PlainValues.of(record.value()));
            }
        }
        TableEnvironment streaming =
                TableEnvironment.create(EnvironmentSettings.newInstance().build());
        SqlPage.tables(deployment.brokers(), deployment.registry()).stream()
                .filter(table -> table.contains("open_items"))
                .forEach(streaming::executeSql);
        Map<String, Object> open = new TreeMap<>();
        try (CloseableIterator<Row> changes =
                streaming.executeSql("SELECT * FROM open_items").collect()) {
            changes.forEachRemaining(row -> {
                List<?> values = (List<?>) plain(row);
                open.remove((String) values.get(0));
                if (row.getKind() == RowKind.INSERT || row.getKind() == RowKind.UPDATE_AFTER) {
                    open.put((String) values.get(0), values.subList(1, values.size()));
                }
            });
        }
        assertThat(open).isNotEmpty().isEqualTo(expected);
    }

    @Test
    void conversationsThatRecovered() throws Exception {
        assertSameRows("recoveries", new AuditOracle(audit).recoveries());
    }

    @Test
    void agentsWhoseErrorRateDoubled() throws Exception {
        assertSameRows("doubled", new AuditOracle(ofTheLoad()).doubled());
    }

    /** The audit records of minutes that are final. */
    private static List<GenericRecord> ofTheLoad() {
        return audit.stream()
                .filter(record -> deployment.isFinal((Instant) ((GenericRecord) record.get("source")).get("timestamp")))
                .toList();
    }

    private static void assertSameRows(String query, List<List<Object>> expected) throws Exception {
        assertThat(expected).isNotEmpty();
        assertThat(rows(page.get(query))).containsExactlyInAnyOrderElementsOf(new ArrayList<Object>(expected));
    }

    private static Object field(Object row, int index) {
        return ((List<?>) row).get(index);
    }

    private static List<Object> rows(String query) throws Exception {
        List<Object> rows = new ArrayList<>();
        try (CloseableIterator<Row> results = flink.executeSql(query).collect()) {
            results.forEachRemaining(row -> rows.add(plain(row)));
        }
        return rows;
    }

    /** A row as a list, also where it is nested. */
    private static Object plain(Object value) {
        if (value instanceof Row row) {
            List<Object> fields = new ArrayList<>();
            for (int i = 0; i < row.getArity(); i++) {
                fields.add(plain(row.getField(i)));
            }
            return fields;
        }
        if (value instanceof Object[] array) {
            List<Object> elements = new ArrayList<>();
            for (Object element : array) {
                elements.add(plain(element));
            }
            return elements;
        }
        return PlainValues.of(value);
    }
}
