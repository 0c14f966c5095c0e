package dev.parley.connect;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.Deque;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema.Type;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.IndexedRecord;
import org.apache.kafka.common.cache.Cache;
import org.apache.kafka.common.cache.LRUCache;
import org.apache.kafka.common.cache.SynchronizedCache;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Timestamp;
import org.apache.kafka.connect.errors.DataException;

/** Converts generic and generated Avro records of any schema to Connect structs. Thread-safe. */
final class AvroData {
    /** Maximum number of cached schemas. A topic has few, unless someone registers them as an attack. */
    static final int MAX_SCHEMAS = 100;

    /** The name by which Debezium's connectors recognize JSON. */
    private static final String JSON_NAME = "io.debezium.data.Json";

    private static final JsonFactory JSON = new JsonFactory();

    private final boolean json;
    private final boolean replaceNul;
    private final Cache<org.apache.avro.Schema, Schema> schemas = new SynchronizedCache<>(new LRUCache<>(MAX_SCHEMAS));

    /** The last schema used; most topics have one. A lookup by equality would compare whole schemas. */
    private volatile Known last = new Known(null, null);

    private record Known(org.apache.avro.Schema avro, Schema schema) {}

    /**
     * @param json whether nested values become JSON text
     * @param replaceNul whether U+0000 becomes U+FFFD
     */
    AvroData(boolean json, boolean replaceNul) {
        this.json = json;
        this.replaceNul = replaceNul;
    }

    /**
     * Converts a record.
     *
     * @throws DataException if its schema contains itself, or a union other than with null
     */
    SchemaAndValue toConnect(IndexedRecord record) {
        Known known = last;
        if (known.avro != record.getSchema()) {
            known = new Known(record.getSchema(), schemaOf(record.getSchema()));
            last = known;
        }
        return new SchemaAndValue(known.schema, struct(record, known.schema));
    }

    /** Number of cached schemas. */
    long cached() {
        return schemas.size();
    }

    private Schema schemaOf(org.apache.avro.Schema avro) {
        Schema schema = schemas.get(avro);
        if (schema == null) {
            schema = schema(avro, false);
            schemas.put(avro, schema);
        }
        return schema;
    }

    /** The schema of the structs of a record schema. */
    Schema schema(org.apache.avro.Schema avro, boolean optional) {
        return struct(avro, optional, new ArrayDeque<>());
    }

    private Schema struct(org.apache.avro.Schema avro, boolean optional, Deque<org.apache.avro.Schema> outer) {
        if (outer.stream().anyMatch(schema -> schema.getFullName().equals(avro.getFullName()))) {
            throw new DataException(
                    "Record " + avro.getFullName() + " contains itself, which Connect cannot represent");
        }
        outer.push(avro);
        SchemaBuilder struct = SchemaBuilder.struct().name(avro.getFullName());
        for (org.apache.avro.Schema.Field field : avro.getFields()) {
            struct.field(
                    field.name(),
                    schema(
                            present(field.schema(), avro.getFullName() + '.' + field.name()),
                            field.schema().isNullable(),
                            outer));
        }
        outer.pop();
        return built(struct, optional);
    }

    private Schema schema(org.apache.avro.Schema avro, boolean optional, Deque<org.apache.avro.Schema> outer) {
        if (json && isNested(avro)) {
            return built(SchemaBuilder.string().name(JSON_NAME), optional);
        }
        return switch (avro.getType()) {
            case RECORD -> struct(avro, optional, outer);
            case ARRAY -> built(SchemaBuilder.array(element(avro.getElementType(), outer)), optional);
            case MAP -> built(SchemaBuilder.map(Schema.STRING_SCHEMA, element(avro.getValueType(), outer)), optional);
            case ENUM, STRING -> built(SchemaBuilder.string(), optional);
            case BYTES, FIXED -> built(SchemaBuilder.bytes(), optional);
            case BOOLEAN -> built(SchemaBuilder.bool(), optional);
            case INT -> built(SchemaBuilder.int32(), optional);
            case LONG -> built(isTime(avro) ? Timestamp.builder() : SchemaBuilder.int64(), optional);
            case FLOAT -> built(SchemaBuilder.float32(), optional);
            case DOUBLE -> built(SchemaBuilder.float64(), optional);
            case UNION, NULL -> throw new DataException("Connect has no type for Avro's " + avro.getType());
        };
    }

    private Schema element(org.apache.avro.Schema avro, Deque<org.apache.avro.Schema> outer) {
        return schema(present(avro, "an element"), avro.isNullable(), outer);
    }

    private static Schema built(SchemaBuilder builder, boolean optional) {
        return optional ? builder.optional().build() : builder.build();
    }

    /** Whether a value has parts other than elements of a simple type. */
    private static boolean isNested(org.apache.avro.Schema avro) {
        return switch (avro.getType()) {
            case RECORD, MAP -> true;
            case ARRAY ->
                switch (present(avro.getElementType(), "an element").getType()) {
                    case RECORD, MAP, ARRAY -> true;
                    default -> avro.getElementType().isNullable();
                };
            default -> false;
        };
    }

    private static boolean isTime(org.apache.avro.Schema avro) {
        return avro.getLogicalType() instanceof LogicalTypes.TimestampMillis;
    }

    /** The non-null type of a union with null; any other type unchanged. */
    static org.apache.avro.Schema present(org.apache.avro.Schema type, String name) {
        if (!type.isUnion()) {
            return type;
        }
        List<org.apache.avro.Schema> types = type.getTypes().stream()
                .filter(one -> one.getType() != Type.NULL)
                .toList();
        if (types.size() != 1) {
            throw new DataException("The union of " + name + " must have null and one other type, but has " + type);
        }
        return types.get(0);
    }

    private Struct struct(IndexedRecord record, Schema schema) {
        Struct struct = new Struct(schema);
        for (Field field : schema.fields()) {
            org.apache.avro.Schema avro =
                    record.getSchema().getFields().get(field.index()).schema();
            struct.put(field, value(record.get(field.index()), present(avro, field.name()), field.schema()));
        }
        return struct;
    }

    private Object value(Object value, org.apache.avro.Schema avro, Schema schema) {
        if (value == null) {
            return null;
        }
        if (JSON_NAME.equals(schema.name())) {
            return jsonText(value, avro);
        }
        return switch (avro.getType()) {
            case RECORD -> struct((IndexedRecord) value, schema);
            case ARRAY -> {
                org.apache.avro.Schema element = present(avro.getElementType(), "an element");
                List<Object> values = new ArrayList<>(((Collection<?>) value).size());
                for (Object one : (Collection<?>) value) {
                    values.add(value(one, element, schema.valueSchema()));
                }
                yield values;
            }
            case MAP -> {
                org.apache.avro.Schema element = present(avro.getValueType(), "an element");
                Map<String, Object> values = new LinkedHashMap<>();
                ((Map<?, ?>) value)
                        .forEach((key, one) -> values.put(text(key), value(one, element, schema.valueSchema())));
                yield values;
            }
            case ENUM, STRING -> text(value);
            case FIXED -> ByteBuffer.wrap(((GenericFixed) value).bytes());
            case LONG -> isTime(avro) ? (Object) new Date((Long) value) : value;
            default -> value;
        };
    }

    private String text(Object value) {
        String text = value.toString();
        return replaceNul && text.indexOf('\0') >= 0 ? text.replace('\0', '\uFFFD') : text;
    }

    private String jsonText(Object value, org.apache.avro.Schema avro) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = JSON.createGenerator(text)) {
            write(generator, value, avro);
        } catch (IOException e) {
            throw new IllegalStateException("a string cannot be written", e);
        }
        return text.toString();
    }

    private void write(JsonGenerator out, Object value, org.apache.avro.Schema union) throws IOException {
        if (value == null) {
            out.writeNull();
            return;
        }
        org.apache.avro.Schema avro = present(union, "a nested field");
        switch (avro.getType()) {
            case RECORD -> {
                out.writeStartObject();
                for (org.apache.avro.Schema.Field field : avro.getFields()) {
                    out.writeFieldName(field.name());
                    write(out, ((IndexedRecord) value).get(field.pos()), field.schema());
                }
                out.writeEndObject();
            }
            case ARRAY -> {
                out.writeStartArray();
                for (Object one : (Collection<?>) value) {
                    write(out, one, avro.getElementType());
                }
                out.writeEndArray();
            }
            case MAP -> {
                out.writeStartObject();
                for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                    out.writeFieldName(text(entry.getKey()));
                    write(out, entry.getValue(), avro.getValueType());
                }
                out.writeEndObject();
            }
            case BYTES -> {
                byte[] bytes = new byte[((ByteBuffer) value).remaining()];
                ((ByteBuffer) value).duplicate().get(bytes);
                out.writeString(HexFormat.of().formatHex(bytes));
            }
            case FIXED -> out.writeString(HexFormat.of().formatHex(((GenericFixed) value).bytes()));
            case BOOLEAN -> out.writeBoolean((Boolean) value);
            case INT -> out.writeNumber((Integer) value);
            case LONG -> {
                if (isTime(avro)) {
                    out.writeString(Instant.ofEpochMilli((Long) value).toString());
                } else {
                    out.writeNumber((Long) value);
                }
            }
            case FLOAT -> out.writeNumber((Float) value);
            case DOUBLE -> out.writeNumber((Double) value);
            default -> out.writeString(text(value));
        }
    }
}
