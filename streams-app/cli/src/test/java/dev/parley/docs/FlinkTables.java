package dev.parley.docs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.avro.Accounting;
import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditHead;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.AuditTile;
import dev.parley.avro.Checkpoint;
import dev.parley.avro.DefinitionChangeCount;
import dev.parley.avro.EdgeCount;
import dev.parley.avro.OpenItem;
import dev.parley.avro.ParkedItem;
import dev.parley.avro.PatchCount;
import dev.parley.avro.Redaction;
import dev.parley.avro.Redrive;
import dev.parley.avro.TrafficCount;
import dev.parley.avro.TurnaroundCount;
import dev.parley.avro.ViolationCount;
import dev.parley.protocol.TopicNames;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/** Generates the table declarations in deploy/flink/tables.sql from the Avro schemas of the output topics. */
final class FlinkTables {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String BROKERS = "'properties.bootstrap.servers' = '127.0.0.1:9092'";
    private static final String COMMITTED = "'properties.isolation.level' = 'read_committed'";
    private static final String BOUNDED = "'scan.bounded.mode' = 'latest-offset'";
    private static final String FORMAT = "'value.format' = 'avro-confluent'";
    private static final String REGISTRY = "'value.avro-confluent.url' = 'http://127.0.0.1:8081'";

    private static final String HEAD = """
            -- Flink SQL tables over the output topics of Parley. Generated from the Avro schemas; see docs/analytics.md.
            -- Replace the addresses of the brokers and of the Schema Registry.

            """;

    /** Tables of records, in the order of docs/topics.md. */
    private static final List<Table> TABLES = List.of(
            new Table("audit", TopicNames::audit, AuditRecord.getClassSchema()),
            new Table("audit_heads", TopicNames::auditHead, AuditHead.getClassSchema()),
            new Table("audit_tiles", TopicNames::auditTile, AuditTile.getClassSchema()),
            new Table("redactions", TopicNames::redaction, Redaction.getClassSchema()),
            new Table("redrives", TopicNames::redrive, Redrive.getClassSchema()),
            new Table("messages", TopicNames::message, AgentMessage.getClassSchema()),
            new Table("checkpoints", TopicNames::checkpoint, Checkpoint.getClassSchema()),
            new Table("accounting", TopicNames::accounting, Accounting.getClassSchema()),
            new Table("traffic", TopicNames::traffic, TrafficCount.getClassSchema()),
            new Table("violations", TopicNames::violation, ViolationCount.getClassSchema()),
            new Table("edges", TopicNames::edge, EdgeCount.getClassSchema()),
            new Table("turnaround", TopicNames::turnaround, TurnaroundCount.getClassSchema()),
            new Table("patches", TopicNames::patch, PatchCount.getClassSchema()),
            new Table("definition_changes", TopicNames::definitionChange, DefinitionChangeCount.getClassSchema()));

    private record Table(String name, Function<TopicNames, String> topic, Schema schema) {}

    private final TopicNames names;

    FlinkTables(TopicNames names) {
        this.names = names;
    }

    /** Returns the content of the file. */
    String file() {
        return HEAD
                + TABLES.stream().map(this::table).collect(Collectors.joining("\n"))
                + '\n'
                + current("open_items", names.openItem(), OpenItem.getClassSchema())
                + '\n'
                + current("parked_items", names.parkedItem(), ParkedItem.getClassSchema())
                + '\n'
                + deadLetters();
    }

    /** The topics that have a table. */
    List<String> topics() {
        List<String> topics = new ArrayList<>(
                TABLES.stream().map(table -> table.topic.apply(names)).toList());
        topics.add(names.openItem());
        topics.add(names.parkedItem());
        topics.addAll(names.deadLetters());
        return topics;
    }

    private String table(Table table) {
        List<String> columns = new ArrayList<>();
        for (Schema.Field field : table.schema.getFields()) {
            columns.add(column(field));
        }
        columns.addAll(metadata());
        boolean counts = table.schema.getField("windowStart") != null;
        columns.add(watermark(counts ? "`windowStart`" : "`event_time`"));
        List<String> options = new ArrayList<>(source(table.topic.apply(names)));
        options.add(FORMAT);
        options.add(REGISTRY);
        if (hasEnum(table.schema, new HashSet<>())) {
            options.add("'value.avro-confluent.schema' = '" + json(table.schema).replace("'", "''") + "'");
        }
        return statement(table.name, columns, options);
    }

    /** A tombstone deletes a row of such a table, so it has the connector and the key that deletions need. */
    private static String current(String name, String topic, Schema schema) {
        List<String> columns = new ArrayList<>(List.of("`item_key` STRING NOT NULL"));
        schema.getFields().forEach(field -> columns.add(column(field)));
        columns.add("PRIMARY KEY (`item_key`) NOT ENFORCED");
        return statement(
                name,
                columns,
                List.of(
                        "'connector' = 'upsert-kafka'",
                        "'topic' = '" + topic + "'",
                        BROKERS,
                        COMMITTED,
                        BOUNDED,
                        "'key.format' = 'raw'",
                        "'value.fields-include' = 'EXCEPT_KEY'",
                        FORMAT,
                        REGISTRY));
    }

    private String deadLetters() {
        List<String> columns = new ArrayList<>(List.of(
                "`value` BYTES", "`headers` MAP<STRING, BYTES> METADATA VIRTUAL", "`topic` STRING METADATA VIRTUAL"));
        columns.addAll(metadata());
        columns.add(watermark("`event_time`"));
        List<String> options = new ArrayList<>(source(String.join(";", names.deadLetters())));
        options.add("'value.format' = 'raw'");
        return statement("dead_letters", columns, options);
    }

    /** Position and time of the record in its topic. */
    private static List<String> metadata() {
        return List.of(
                "`kafka_partition` INT METADATA FROM 'partition' VIRTUAL",
                "`kafka_offset` BIGINT METADATA FROM 'offset' VIRTUAL",
                "`event_time` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL");
    }

    private static String watermark(String column) {
        return "WATERMARK FOR " + column + " AS " + column + " - INTERVAL '1' MINUTE";
    }

    private static List<String> source(String topics) {
        return List.of(
                "'connector' = 'kafka'",
                "'topic' = '" + topics + "'",
                BROKERS,
                COMMITTED,
                "'scan.startup.mode' = 'earliest-offset'",
                BOUNDED);
    }

    private static String statement(String name, List<String> columns, List<String> options) {
        return "CREATE TABLE `" + name + "` (\n  " + String.join(",\n  ", columns) + "\n) WITH (\n  "
                + String.join(",\n  ", options) + "\n);\n";
    }

    private static String column(Schema.Field field) {
        return '`' + field.name() + "` " + type(field.schema());
    }

    private static String type(Schema schema) {
        if (schema.isUnion()) {
            return nonNull(present(schema));
        }
        return nonNull(schema) + " NOT NULL";
    }

    /** The type of a union with null. */
    private static Schema present(Schema union) {
        List<Schema> types = union.getTypes().stream()
                .filter(type -> type.getType() != Schema.Type.NULL)
                .toList();
        if (types.size() != 1 || types.size() == union.getTypes().size()) {
            throw new IllegalArgumentException("a union must have null and one other type: " + union);
        }
        return types.get(0);
    }

    private static String nonNull(Schema schema) {
        return switch (schema.getType()) {
            case RECORD ->
                schema.getFields().stream().map(FlinkTables::column).collect(Collectors.joining(", ", "ROW<", ">"));
            case ARRAY -> "ARRAY<" + type(schema.getElementType()) + '>';
            case MAP -> "MAP<STRING NOT NULL, " + type(schema.getValueType()) + '>';
            case ENUM, STRING -> "STRING";
            case BYTES -> "BYTES";
            case BOOLEAN -> "BOOLEAN";
            case INT -> "INT";
            case LONG -> schema.getLogicalType() instanceof LogicalTypes.TimestampMillis ? "TIMESTAMP(3)" : "BIGINT";
            case DOUBLE -> "DOUBLE";
            default -> throw new IllegalArgumentException("unsupported type: " + schema);
        };
    }

    private static boolean hasEnum(Schema schema, Set<String> seen) {
        return switch (schema.getType()) {
            case ENUM -> true;
            case RECORD ->
                seen.add(schema.getFullName())
                        && schema.getFields().stream().anyMatch(field -> hasEnum(field.schema(), seen));
            case ARRAY -> hasEnum(schema.getElementType(), seen);
            case MAP -> hasEnum(schema.getValueType(), seen);
            case UNION -> schema.getTypes().stream().anyMatch(type -> hasEnum(type, seen));
            default -> false;
        };
    }

    /** The schema without its documentation, and without the hints for Java that the generated class adds. */
    private static String json(Schema schema) {
        try {
            JsonNode tree = JSON.readTree(schema.toString());
            prune(tree);
            return JSON.writeValueAsString(tree);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Avro wrote invalid JSON", e);
        }
    }

    private static void prune(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.remove(List.of("doc", "avro.java.string"));
        }
        node.forEach(FlinkTables::prune);
    }
}
