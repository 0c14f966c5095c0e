package dev.parley.docs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.TreeMap;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/** Avro records and enums as the JSON schemas of a YAML document, one for each, in the order of their names. */
final class RecordSchemas {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final TreeMap<String, Schema> named = new TreeMap<>();

    RecordSchemas(Iterable<Schema> records) {
        records.forEach(this::collect);
    }

    private void collect(Schema schema) {
        switch (schema.getType()) {
            case RECORD -> {
                if (named.put(schema.getName(), schema) == null) {
                    schema.getFields().forEach(field -> collect(field.schema()));
                }
            }
            case ENUM -> named.put(schema.getName(), schema);
            case ARRAY -> collect(schema.getElementType());
            case MAP -> collect(schema.getValueType());
            case UNION -> schema.getTypes().forEach(this::collect);
            default -> {
                // Has no name.
            }
        }
    }

    /** The schemas, indented as members of components.schemas. */
    String yaml() {
        StringBuilder yaml = new StringBuilder();
        named.forEach((name, schema) -> {
            yaml.append("    ").append(name).append(":\n");
            if (schema.getType() == Schema.Type.ENUM) {
                line(yaml, 6, "type: string");
                line(yaml, 6, "enum: [" + String.join(", ", schema.getEnumSymbols()) + "]");
                described(yaml, 6, schema.getDoc());
            } else {
                line(yaml, 6, "type: object");
                described(yaml, 6, schema.getDoc());
                line(yaml, 6, "required:");
                schema.getFields().forEach(field -> line(yaml, 8, "- " + field.name()));
                line(yaml, 6, "properties:");
                schema.getFields().forEach(field -> {
                    line(yaml, 8, field.name() + ":");
                    type(yaml, 10, field.schema());
                    described(yaml, 10, field.doc());
                });
            }
        });
        return yaml.toString();
    }

    private static void type(StringBuilder yaml, int indent, Schema schema) {
        boolean nullable = schema.isNullable() && schema.getType() == Schema.Type.UNION;
        List<Schema> types = nullable
                ? schema.getTypes().stream()
                        .filter(type -> type.getType() != Schema.Type.NULL)
                        .toList()
                : List.of(schema);
        if (types.size() != 1 || types.get(0).getType() == Schema.Type.UNION) {
            throw new IllegalArgumentException("a union of more than null and one type: " + schema);
        }
        Schema type = types.get(0);
        switch (type.getType()) {
            case RECORD, ENUM -> {
                String reference = "$ref: \"#/components/schemas/" + type.getName() + "\"";
                if (nullable) {
                    line(yaml, indent, "oneOf:");
                    line(yaml, indent + 2, "- type: \"null\"");
                    line(yaml, indent + 2, "- " + reference);
                } else {
                    // A description next to a reference would replace the referenced schema.
                    line(yaml, indent, "allOf:");
                    line(yaml, indent + 2, "- " + reference);
                }
            }
            case ARRAY -> {
                line(yaml, indent, "type: " + orNull("array", nullable));
                line(yaml, indent, "items:");
                type(yaml, indent + 2, type.getElementType());
            }
            case MAP -> {
                line(yaml, indent, "type: " + orNull("object", nullable));
                line(yaml, indent, "additionalProperties:");
                type(yaml, indent + 2, type.getValueType());
            }
            case STRING -> line(yaml, indent, "type: " + orNull("string", nullable));
            case BOOLEAN -> line(yaml, indent, "type: " + orNull("boolean", nullable));
            case DOUBLE, FLOAT -> line(yaml, indent, "type: " + orNull("number", nullable));
            case INT, LONG -> {
                line(yaml, indent, "type: " + orNull("integer", nullable));
                line(yaml, indent, "format: " + (type.getType() == Schema.Type.INT ? "int32" : "int64"));
                if (type.getLogicalType() instanceof LogicalTypes.TimestampMillis) {
                    line(yaml, indent, "x-avro-logical-type: timestamp-millis");
                } else if (type.getLogicalType() != null) {
                    throw new IllegalArgumentException("no form for " + type);
                }
            }
            case BYTES, FIXED -> {
                line(yaml, indent, "type: " + orNull("string", nullable));
                line(yaml, indent, "format: binary");
            }
            default -> throw new IllegalArgumentException("no form for " + type);
        }
    }

    private static String orNull(String type, boolean nullable) {
        return nullable ? "[" + type + ", \"null\"]" : type;
    }

    private static void described(StringBuilder yaml, int indent, String doc) {
        if (doc != null) {
            try {
                line(yaml, indent, "description: " + JSON.writeValueAsString(doc.replaceAll("\\s+", " ")));
            } catch (JsonProcessingException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static void line(StringBuilder yaml, int indent, String text) {
        yaml.append(" ".repeat(indent)).append(text).append('\n');
    }
}
