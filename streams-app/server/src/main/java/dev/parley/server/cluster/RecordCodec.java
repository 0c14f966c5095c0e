package dev.parley.server.cluster;

import dev.parley.codec.TrustedRecords;
import dev.parley.encoding.ByteBuffers;
import dev.parley.json.RecordField;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.data.TimeConversions;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.kafka.common.utils.Bytes;

/**
 * Encodes the messages of peers in Avro, by schemas derived from their record classes. A message begins with the schema
 * of its writer. Therefore a reader understands messages of instances whose records have fewer or more components:
 * absent ones have the default of their type, which is null, zero or empty. Avro counts them as a byte each when it
 * compares the length of a list with the bytes that remain, so a component must not be added to a record that can be
 * that small in a long list. Maps keep their order. Thread-safe.
 */
public final class RecordCodec<T> {

    static {
        TrustedRecords.trust();
    }

    /** Without Avro's fast reader, which creates maps without order. */
    private static final SpecificData ORDERED = new SpecificData();

    static {
        ORDERED.setFastReaderEnabled(false);
        // Generated records contain times in unions, which this model converts, and not theirs.
        ORDERED.addLogicalTypeConversion(new TimeConversions.TimestampMillisConversion());
    }

    private static final int MAX_SCHEMA_CHARACTERS = 128 << 10;
    private static final int MAX_SCHEMAS = 16;
    private static final Map<List<Class<?>>, RecordCodec<?>> CODECS = new ConcurrentHashMap<>();

    private final Class<T> type;
    private final Class<?> result;
    private final Schema schema;
    private final String text;
    private final Map<Class<?>, Schema> schemas = new HashMap<>();
    private final Map<String, Class<?>> classes = new HashMap<>();
    /** Schemas of writers by their text. */
    private final Map<String, Schema> writers = new ConcurrentHashMap<>();

    private RecordCodec(Class<T> type, Class<?> result) {
        this.type = type;
        this.result = result;
        this.schema = schema(type);
        this.text = schema.toString();
    }

    /** The codec of a record class, or of a sealed interface of records. */
    public static <T> RecordCodec<T> of(Class<T> type) {
        return of(type, Void.class);
    }

    /**
     * The codec of a record class with results.
     *
     * @param result class of components with the type Object; Void if they are null
     */
    @SuppressWarnings("unchecked")
    public static <T> RecordCodec<T> of(Class<T> type, Class<?> result) {
        return (RecordCodec<T>)
                CODECS.computeIfAbsent(List.of(type, result), classes -> new RecordCodec<>(type, result));
    }

    Schema schema() {
        return schema;
    }

    public byte[] encode(T message) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BinaryEncoder out = EncoderFactory.get().binaryEncoder(bytes, null);
        try {
            out.writeString(text);
            new SpecificDatumWriter<>(schema).write(avro(message), out);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory does not fail", e);
        }
        return bytes.toByteArray();
    }

    /**
     * Decodes a message of any build. Lengths and counts are bounded by the bytes of the message.
     *
     * @throws PeerProtocolException if it is malformed
     */
    public T decode(byte[] message) throws PeerProtocolException {
        BinaryDecoder in = DecoderFactory.get().binaryDecoder(message, null);
        try {
            Object value = new OrderedReader(writer(in.readString()), schema).read(null, in);
            if (!in.isEnd()) {
                throw new IOException("it has trailing bytes");
            }
            return type.cast(java(value, type));
        } catch (IOException | ReflectiveOperationException | RuntimeException | StackOverflowError e) {
            throw new PeerProtocolException("The message is malformed: " + e.getMessage());
        }
    }

    private static final class OrderedReader extends SpecificDatumReader<Object> {
        OrderedReader(Schema writer, Schema reader) {
            super(writer, reader, ORDERED);
        }

        @Override
        protected Object newMap(Object old, int size) {
            return new LinkedHashMap<>();
        }
    }

    private Schema writer(String written) throws IOException {
        if (written.equals(text)) {
            return schema;
        }
        if (written.length() > MAX_SCHEMA_CHARACTERS) {
            throw new IOException("its schema is too large");
        }
        Schema known = writers.get(written);
        if (known == null) {
            known = new Schema.Parser().parse(written);
            if (writers.size() < MAX_SCHEMAS) {
                writers.put(written, known);
            }
        }
        return known;
    }

    private Schema schema(Type declared) {
        Class<?> raw = raw(declared);
        if (raw == String.class || raw.isEnum()) {
            return Schema.create(Schema.Type.STRING);
        } else if (raw == boolean.class || raw == Boolean.class) {
            return Schema.create(Schema.Type.BOOLEAN);
        } else if (raw == int.class || raw == Integer.class) {
            return Schema.create(Schema.Type.INT);
        } else if (raw == long.class || raw == Long.class || raw == Instant.class) {
            return Schema.create(Schema.Type.LONG);
        } else if (raw == Bytes.class) {
            return Schema.create(Schema.Type.BYTES);
        } else if (raw == Void.class) {
            return Schema.create(Schema.Type.NULL);
        } else if (raw == Object.class) {
            return schema(result);
        } else if (raw == Optional.class) {
            return schema(argument(declared, 0));
        } else if (Collection.class.isAssignableFrom(raw)) {
            return Schema.createArray(schema(argument(declared, 0)));
        } else if (Map.class.isAssignableFrom(raw)) {
            return Schema.createMap(nullable(schema(argument(declared, 1))));
        } else if (IndexedRecord.class.isAssignableFrom(raw)) {
            return SpecificData.get().getSchema(raw);
        } else if (raw.isSealed()) {
            return Schema.createUnion(Arrays.stream(raw.getPermittedSubclasses())
                    .map(this::schema)
                    .toList());
        }
        return record(raw);
    }

    private Schema record(Class<?> raw) {
        Schema known = schemas.get(raw);
        if (known != null) {
            return known;
        }
        String name = raw.getSimpleName();
        for (Class<?> outer = raw.getEnclosingClass(); outer != null; outer = outer.getEnclosingClass()) {
            name = outer.getSimpleName() + name;
        }
        Schema record = Schema.createRecord(name, null, null, false);
        schemas.put(raw, record);
        if (classes.put(name, raw) != null) {
            throw new IllegalStateException("two records have the name " + name);
        }
        List<Schema.Field> fields = new ArrayList<>();
        for (RecordField field : RecordField.of(raw)) {
            Class<?> component = raw(field.type());
            Schema declared = schema(field.type());
            Object zero = zero(declared);
            fields.add(
                    field.nullable() || component == Optional.class || zero == Schema.Field.NULL_DEFAULT_VALUE
                            ? new Schema.Field(field.name(), nullable(declared), null, Schema.Field.NULL_DEFAULT_VALUE)
                            : new Schema.Field(field.name(), declared, null, zero));
        }
        record.setFields(fields);
        return record;
    }

    private static Schema nullable(Schema schema) {
        if (schema.getType() == Schema.Type.NULL) {
            return schema;
        }
        List<Schema> types = new ArrayList<>(List.of(Schema.create(Schema.Type.NULL)));
        types.addAll(schema.isUnion() ? schema.getTypes() : List.of(schema));
        return Schema.createUnion(types);
    }

    /** The value of a component that a writer does not have; null for records. */
    private static Object zero(Schema schema) {
        return switch (schema.getType()) {
            case STRING, BYTES -> "";
            case BOOLEAN -> false;
            case INT -> 0;
            case LONG -> 0L;
            case ARRAY -> List.of();
            case MAP -> Map.of();
            default -> Schema.Field.NULL_DEFAULT_VALUE;
        };
    }

    private Object avro(Object value) {
        if (value instanceof Optional<?> optional) {
            return avro(optional.orElse(null));
        } else if (value instanceof Bytes bytes) {
            return ByteBuffer.wrap(bytes.get());
        } else if (value instanceof Instant time) {
            return time.toEpochMilli();
        } else if (value instanceof Enum<?> symbol) {
            return symbol.name();
        } else if (value instanceof Collection<?> items) {
            return items.stream().map(this::avro).toList();
        } else if (value instanceof Map<?, ?> map) {
            Map<String, Object> entries = new LinkedHashMap<>();
            map.forEach((key, entry) -> entries.put(key.toString(), avro(entry)));
            return entries;
        } else if (value instanceof Record record) {
            GenericRecord fields = new GenericData.Record(schemas.get(record.getClass()));
            for (RecordField field : RecordField.of(record.getClass())) {
                fields.put(field.name(), avro(field.get(record)));
            }
            return fields;
        }
        return value;
    }

    private Object java(Object value, Type declared) throws ReflectiveOperationException {
        Class<?> raw = raw(declared);
        if (raw == Optional.class) {
            return value == null ? Optional.empty() : Optional.of(java(value, argument(declared, 0)));
        } else if (value == null) {
            return null;
        } else if (raw == Object.class) {
            return java(value, result);
        } else if (raw == String.class) {
            return value.toString();
        } else if (raw == Instant.class) {
            return Instant.ofEpochMilli((Long) value);
        } else if (raw == Bytes.class) {
            return Bytes.wrap(ByteBuffers.of((ByteBuffer) value));
        } else if (raw.isEnum()) {
            return raw.getMethod("valueOf", String.class).invoke(null, value.toString());
        } else if (value instanceof Collection<?> items) {
            Collection<Object> copy = SortedSet.class.isAssignableFrom(raw)
                    ? new TreeSet<>()
                    : Set.class.isAssignableFrom(raw) ? new LinkedHashSet<>() : new ArrayList<>();
            for (Object item : items) {
                copy.add(java(item, argument(declared, 0)));
            }
            return copy;
        } else if (value instanceof Map<?, ?> map) {
            Map<Object, Object> copy = SortedMap.class.isAssignableFrom(raw) ? new TreeMap<>() : new LinkedHashMap<>();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                String key = entry.getKey().toString();
                copy.put(
                        argument(declared, 0) == Integer.class ? (Object) Integer.valueOf(key) : key,
                        java(entry.getValue(), argument(declared, 1)));
            }
            return copy;
        } else if (value instanceof GenericData.Record fields) {
            return record(fields, classes.get(fields.getSchema().getName()));
        }
        return value;
    }

    private Object record(GenericRecord fields, Class<?> raw) throws ReflectiveOperationException {
        List<RecordField> components = RecordField.of(raw);
        Object[] arguments = new Object[components.size()];
        Class<?>[] types = new Class<?>[arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            types[i] = raw(components.get(i).type());
            arguments[i] = java(fields.get(i), components.get(i).type());
        }
        Constructor<?> constructor = raw.getDeclaredConstructor(types);
        constructor.setAccessible(true);
        return constructor.newInstance(arguments);
    }

    private static Class<?> raw(Type type) {
        return (Class<?>) (type instanceof ParameterizedType generic ? generic.getRawType() : type);
    }

    private static Type argument(Type type, int index) {
        return ((ParameterizedType) type).getActualTypeArguments()[index];
    }
}
