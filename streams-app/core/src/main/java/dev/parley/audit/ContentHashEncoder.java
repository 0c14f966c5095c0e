package dev.parley.audit;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.AuditRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/**
 * Serializes an audit record for its content hash of version 1: the fields in the order of the schema, each as its name
 * and value, then an empty name. A field that is null, empty or the schema's default is omitted, so a field that a
 * later version adds does not change the bytes of earlier records. The payload is represented by its length.
 */
final class ContentHashEncoder {
    /**
     * The journal's own hash covers the journal position, which a second run over the same input may choose
     * differently.
     */
    private static final Set<String> UNHASHED_FIELDS =
            Set.of("hash", "previousHash", "payloadHash", "contentHash", "redacted", "journal", "contentVersion");

    private static final String PAYLOAD = "raw";

    private final IdentityHashMap<Schema, List<Part>> parts = new IdentityHashMap<>();

    /**
     * A field: its name in UTF-8, its position in the record, its default in the schema, and whether its length
     * represents it.
     */
    private record Part(byte[] name, int position, Object absent, boolean lengthOnly) {}

    void write(IndexedRecord record, HashBuffer buffer) {
        for (Part part : parts.computeIfAbsent(record.getSchema(), ContentHashEncoder::partsOf)) {
            Object value = record.get(part.position);
            if (value != null && !isEmpty(value) && !isAbsent(value, part.absent)) {
                buffer.sized(part.name);
                if (part.lengthOnly) {
                    buffer.number(((ByteBuffer) value).remaining());
                } else {
                    value(value, buffer);
                }
            }
        }
        buffer.integer(0);
    }

    private void value(Object value, HashBuffer buffer) {
        if (value instanceof String text) {
            buffer.text(text);
        } else if (value instanceof IndexedRecord record) {
            write(record, buffer);
        } else if (value instanceof Long || value instanceof Integer) {
            buffer.number(((Number) value).longValue());
        } else if (value instanceof Enum<?> symbol) {
            buffer.text(symbol.name());
        } else if (value instanceof ByteBuffer bytes) {
            buffer.integer(bytes.remaining());
            buffer.bytes(bytes);
        } else if (value instanceof Instant time) {
            buffer.number(time.toEpochMilli());
        } else if (value instanceof Boolean flag) {
            buffer.octet(flag ? 1 : 0);
        } else if (value instanceof Collection<?> items) {
            buffer.integer(items.size());
            items.forEach(item -> value(item, buffer));
        } else {
            throw new IllegalArgumentException("Cannot hash the content of " + value.getClass());
        }
    }

    private static boolean isEmpty(Object value) {
        return value instanceof Collection<?> items && items.isEmpty();
    }

    private static boolean isAbsent(Object value, Object absent) {
        return value instanceof Enum<?> symbol ? symbol.name().equals(absent) : value.equals(absent);
    }

    private static List<Part> partsOf(Schema schema) {
        List<Part> parts = new ArrayList<>();
        for (Schema.Field field : schema.getFields()) {
            if (!isAuditRecord(schema) || !UNHASHED_FIELDS.contains(field.name())) {
                parts.add(new Part(
                        field.name().getBytes(StandardCharsets.UTF_8),
                        field.pos(),
                        field.defaultVal(),
                        field.name().equals(PAYLOAD) && (isAuditRecord(schema) || isMessage(schema))));
            }
        }
        return parts;
    }

    private static boolean isAuditRecord(Schema schema) {
        return schema.getFullName().equals(AuditRecord.getClassSchema().getFullName());
    }

    private static boolean isMessage(Schema schema) {
        return schema.getFullName().equals(AgentMessage.getClassSchema().getFullName());
    }
}
