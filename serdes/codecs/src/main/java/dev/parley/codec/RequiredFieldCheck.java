package dev.parley.codec;

import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Refuses records with null in a non-nullable field, such as those from no-argument constructors. */
final class RequiredFieldCheck {

    private RequiredFieldCheck() {}

    /**
     * Checks a record and its nested records.
     *
     * @throws IllegalArgumentException if a required value is null; names the field, such as {@code operations[2].name}
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
                        prefix + name + ": must be of type " + schema.getType().getName() + ", but was null");
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
