package dev.parley.sql;

import dev.parley.avro.LogPosition;
import dev.parley.avro.Rule;
import dev.parley.avro.Source;
import dev.parley.json.ApiJson;
import dev.parley.json.AvroJson;
import dev.parley.json.AvroJsonReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/**
 * The columns of an Avro record: one for each field, with its name. The input position, the rule and the position in
 * the log become several columns, other records, arrays and maps JSON, and bytes lower-case hexadecimal, as in the HTTP
 * API.
 */
final class AvroColumns {
    private static final String SOURCE = Source.getClassSchema().getFullName();
    private static final String LOG = LogPosition.getClassSchema().getFullName();
    private static final String RULE = Rule.getClassSchema().getFullName();

    private AvroColumns() {}

    /** The columns of a record type in the order of its fields. */
    static List<Column<IndexedRecord>> of(Schema schema) {
        List<Column<IndexedRecord>> columns = new ArrayList<>();
        for (Schema.Field field : schema.getFields()) {
            Function<IndexedRecord, Object> value = record -> record.get(field.pos());
            Schema type = AvroJsonReader.present(field.schema());
            Optional<UnaryOperator<String>> names = nestedNames(field.name(), type.getFullName());
            if (names.isEmpty()) {
                columns.add(column(name(field.name()), type, value));
            } else {
                of(type).forEach(column ->
                        columns.add(new Column<>(names.get().apply(column.name()), column.type(), column.value())
                                .within(each -> (IndexedRecord) value.apply(each))));
            }
        }
        return columns;
    }

    /** The names of the columns for the fields of a nested record; empty for a field that is one column. */
    private static Optional<UnaryOperator<String>> nestedNames(String field, String type) {
        if (type.equals(SOURCE) && field.equals("source")) {
            return Optional.of(AvroColumns::sourceName);
        }
        if (type.equals(LOG)) {
            return Optional.of(name -> "log" + capitalized(name));
        }
        if (type.equals(RULE)) {
            return Optional.of(name -> name.equals("text") ? field : field + capitalized(name));
        }
        return Optional.empty();
    }

    /** The time of the input is what queries use most, so it has the shortest name. */
    private static String sourceName(String field) {
        return switch (field) {
            case "timestamp" -> "time";
            case "producerTime" -> field;
            default -> "source" + capitalized(field);
        };
    }

    /** The name of the field, unless SQL reserves it. */
    private static String name(String field) {
        return switch (field) {
            case "references" -> "refs";
            case "lambda" -> "lam";
            default -> field;
        };
    }

    private static String capitalized(String name) {
        return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }

    private static Column<IndexedRecord> column(String name, Schema type, Function<IndexedRecord, Object> value) {
        return switch (type.getType()) {
            case STRING, ENUM -> new Column<>(name, "VARCHAR", record -> text(value.apply(record)));
            case INT -> new Column<>(name, "INTEGER", value);
            case LONG ->
                new Column<>(
                        name,
                        type.getLogicalType() instanceof LogicalTypes.TimestampMillis ? "TIMESTAMP" : "BIGINT",
                        value);
            case BOOLEAN -> new Column<>(name, "BOOLEAN", value);
            case BYTES -> new Column<>(name, "VARCHAR", record -> hex(value.apply(record)));
            case ARRAY ->
                AvroJsonReader.present(type.getElementType()).getType() == Schema.Type.STRING
                        ? new Column<>(name, "VARCHAR[]", record -> texts(value.apply(record)))
                        : new Column<>(name, "JSON", record -> json(value.apply(record)));
            case RECORD, MAP -> new Column<>(name, "JSON", record -> json(value.apply(record)));
            default -> throw new IllegalArgumentException("no column for " + name + " of type " + type.getType());
        };
    }

    private static String text(Object value) {
        return value == null ? null : value.toString();
    }

    private static List<String> texts(Object value) {
        return value instanceof Collection<?> items
                ? items.stream().map(Object::toString).toList()
                : null;
    }

    private static String hex(Object value) {
        return value instanceof ByteBuffer bytes ? AvroJson.hex(bytes) : null;
    }

    private static String json(Object value) {
        return value == null ? null : ApiJson.text(value);
    }
}
