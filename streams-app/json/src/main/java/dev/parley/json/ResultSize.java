package dev.parley.json;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/**
 * The size of a result.
 *
 * @param json approximate bytes as JSON in UTF-8
 * @param memory approximate bytes in memory
 */
public record ResultSize(long json, long memory) {

    /** Approximate memory of a value without its text. */
    private static final int VALUE_BYTES = 64;

    private static final int INSTANT_BYTES = 26;

    /** Measures a record of the model, or a value in one. */
    public static ResultSize of(Object result) {
        long[] sums = new long[2];
        measure(result, sums);
        return new ResultSize(sums[0], sums[0] + VALUE_BYTES * sums[1]);
    }

    private static void measure(Object value, long[] sums) {
        sums[1]++;
        if (value instanceof CharSequence text) {
            sums[0] += jsonBytes(text);
        } else if (value instanceof JsonText json) {
            sums[0] += json.text().length();
        } else if (value instanceof Record record) {
            sums[0] += 2;
            for (RecordField field : RecordField.of(record.getClass())) {
                Object component = field.get(record);
                if (component != null || !field.isOmittedIfNull()) {
                    boolean unwrapped = field.accessor().isAnnotationPresent(JsonUnwrapped.class);
                    member(unwrapped ? "" : field.name(), component, sums);
                }
            }
        } else if (value instanceof Collection<?> items) {
            sums[0] += 2;
            for (Object item : items) {
                sums[0]++;
                measure(item, sums);
            }
        } else if (value instanceof Map<?, ?> map) {
            sums[0] += 2;
            map.forEach((key, entry) -> member(key.toString(), entry, sums));
        } else if (value instanceof IndexedRecord avro) {
            sums[0] += 2;
            for (Schema.Field field : avro.getSchema().getFields()) {
                if (avro.get(field.pos()) != null) {
                    member(field.name(), avro.get(field.pos()), sums);
                }
            }
        } else if (value instanceof ByteBuffer bytes) {
            sums[0] += 2 + 2L * bytes.remaining();
        } else if (value instanceof Instant) {
            sums[0] += INSTANT_BYTES;
        } else {
            sums[0] += String.valueOf(value).length();
        }
    }

    private static void member(String name, Object value, long[] sums) {
        sums[0] += jsonBytes(name) + 2;
        measure(value, sums);
    }

    /** Size of a text as a JSON string, in bytes. */
    static long jsonBytes(CharSequence text) {
        long bytes = 2;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ') {
                bytes += c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\f' ? 2 : 6;
            } else if (c < 0x80) {
                bytes += c == '"' || c == '\\' ? 2 : 1;
            } else if (LineBreakEscapes.isEscaped(c) || Character.isSurrogate(c)) {
                bytes += 6;
            } else {
                bytes += c < 0x800 ? 2 : 3;
            }
        }
        return bytes;
    }
}
