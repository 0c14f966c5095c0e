package dev.parley.interop;

import java.nio.ByteBuffer;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.generic.GenericEnumSymbol;
import org.apache.avro.generic.GenericRecord;

/**
 * Values of Avro, Flink and JDBC in one form that can be compared: records as lists, text as strings, bytes in
 * hexadecimal, times as instants in UTC.
 */
final class PlainValues {
    private PlainValues() {}

    static Object of(Object value) {
        if (value instanceof GenericRecord record) {
            List<Object> fields = new ArrayList<>();
            record.getSchema().getFields().forEach(field -> fields.add(of(record.get(field.pos()))));
            return fields;
        }
        if (value instanceof List<?> list) {
            return plain(list);
        }
        if (value instanceof Object[] array) {
            return plain(Arrays.asList(array));
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> entries = new TreeMap<>();
            map.forEach((key, entry) -> entries.put(key.toString(), of(entry)));
            return entries;
        }
        if (value instanceof ByteBuffer bytes) {
            byte[] copy = new byte[bytes.remaining()];
            bytes.duplicate().get(copy);
            return HexFormat.of().formatHex(copy);
        }
        if (value instanceof byte[] bytes) {
            return HexFormat.of().formatHex(bytes);
        }
        if (value instanceof LocalDateTime time) {
            return time.toInstant(ZoneOffset.UTC);
        }
        if (value instanceof CharSequence || value instanceof GenericEnumSymbol<?>) {
            return value.toString();
        }
        return value;
    }

    private static List<Object> plain(List<?> values) {
        List<Object> plain = new ArrayList<>();
        values.forEach(value -> plain.add(of(value)));
        return plain;
    }
}
