package dev.parley.connect;

import java.util.ArrayList;
import java.util.List;
import org.apache.avro.JsonProperties;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;

/**
 * Converts generated records to Connect structs and back. Supports the types in the schemas of the protocols: records,
 * arrays, unions with null, enumerations, strings, booleans, ints and longs.
 */
final class ConnectData<M extends SpecificRecord> {
    private final AvroData data = new AvroData(false, false);
    private final Class<M> type;
    private final org.apache.avro.Schema avro;
    private final Schema optionalSchema;

    /** Creates a converter of one generated record. */
    ConnectData(Class<M> type) {
        this.type = type;
        this.avro = newRecord(type).getSchema();
        this.optionalSchema = data.schema(avro, true);
    }

    Schema optionalSchema() {
        return optionalSchema;
    }

    /** Converts a record to a struct. */
    SchemaAndValue toConnect(M record) {
        return data.toConnect(record);
    }

    /**
     * Converts a struct to a record. Fields that the struct lacks get the default of the Avro schema.
     *
     * @throws DataException if the value is not a struct or a field does not match the schema; names the field
     */
    M toRecord(Object value) {
        return filled(newRecord(type), value, avro.getFullName());
    }

    private static <R extends SpecificRecord> R filled(R record, Object value, String path) {
        Struct struct = fitting(Struct.class, value, path);
        for (org.apache.avro.Schema.Field field : record.getSchema().getFields()) {
            String name = path + '.' + field.name();
            Field given = struct.schema().field(field.name());
            if (given != null) {
                record.put(field.pos(), avroValue(field.schema(), struct.get(given), name));
            } else if (field.hasDefaultValue()) {
                record.put(field.pos(), defaultOf(field));
            } else {
                throw new DataException(name + " is missing");
            }
        }
        return record;
    }

    private static Object defaultOf(org.apache.avro.Schema.Field field) {
        Object value = field.defaultVal();
        return value == JsonProperties.NULL_VALUE ? null : value;
    }

    private static Object avroValue(org.apache.avro.Schema type, Object value, String path) {
        if (value == null) {
            if (!type.isNullable()) {
                throw new DataException(path + " must not be null");
            }
            return null;
        }
        org.apache.avro.Schema avro = AvroData.present(type, path);
        return switch (avro.getType()) {
            case RECORD -> filled(newRecord(classOf(avro).asSubclass(SpecificRecord.class)), value, path);
            case ARRAY -> {
                List<Object> values = new ArrayList<>();
                for (Object element : fitting(List.class, value, path)) {
                    values.add(avroValue(avro.getElementType(), element, path + "[]"));
                }
                yield values;
            }
            case ENUM -> symbol(avro, fitting(String.class, value, path), path);
            case STRING -> fitting(String.class, value, path);
            case BOOLEAN -> fitting(Boolean.class, value, path);
            case INT -> fitting(Integer.class, value, path);
            case LONG -> fitting(Long.class, value, path);
            default -> throw new IllegalStateException("unsupported field type " + avro.getType());
        };
    }

    private static <R extends SpecificRecord> R newRecord(Class<R> type) {
        try {
            return type.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot create a generated record", e);
        }
    }

    private static Object symbol(org.apache.avro.Schema avro, String name, String path) {
        for (Object symbol : classOf(avro).getEnumConstants()) {
            if (symbol.toString().equals(name)) {
                return symbol;
            }
        }
        throw new DataException(path + " must be one of " + avro.getEnumSymbols() + ", but was " + name);
    }

    /** The generated class. Avro's own lookup would require the package to be trusted. */
    private static Class<?> classOf(org.apache.avro.Schema avro) {
        try {
            return Class.forName(avro.getFullName());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("missing generated class " + avro.getFullName(), e);
        }
    }

    private static <T> T fitting(Class<T> type, Object value, String path) {
        if (!type.isInstance(value)) {
            throw new DataException(path + " must be of type " + type.getSimpleName() + ", but was "
                    + value.getClass().getSimpleName());
        }
        return type.cast(value);
    }
}
