package dev.parley.codec;

import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Refuses records that have null where their schema has none, as what the constructors without arguments make. */
final class Complete {

    private Complete() {}

    /**
     * Checks a record and all that is in it.
     *
     * @throws IllegalArgumentException naming the field, such as {@code operations[2].name}
     */
    static void require(IndexedRecord record) {
        require(record, "");
    }

    private static void require(IndexedRecord record, String prefix) {
        for (Schema.Field field : record.getSchema().getFields()) {
            require(field.schema(), record.get(field.pos()), prefix, field.name());
        }
    }

    private static void require(Schema schema, Object value, String prefix, String name) {
        if (value == null) {
            if (!schema.isNullable()) {
                throw new IllegalArgumentException(
                        prefix + name + ": every " + schema.getType().getName() + " here has a value, this is null");
            }
        } else if (value instanceof IndexedRecord record) {
            require(record, prefix + name + '.');
        } else if (value instanceof List<?> elements) {
            for (int i = 0; i < elements.size(); i++) {
                require(schema.getElementType(), elements.get(i), prefix, name + '[' + i + ']');
            }
        }
    }
}
