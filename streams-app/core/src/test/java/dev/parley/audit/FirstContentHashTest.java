package dev.parley.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.junit.jupiter.api.Test;

/** Tests the content hash of version 1 for fields that the records of the tests do not have: defaults and types. */
class FirstContentHashTest {
    private static final Schema SCHEMA = SchemaBuilder.record("Any")
            .fields()
            .name("count")
            .type()
            .intType()
            .intDefault(7)
            .name("size")
            .type()
            .longType()
            .longDefault(9)
            .name("text")
            .type()
            .stringType()
            .stringDefault("none")
            .name("flag")
            .type()
            .booleanType()
            .booleanDefault(true)
            .name("plain")
            .type()
            .booleanType()
            .noDefault()
            .name("raw")
            .type()
            .bytesType()
            .noDefault()
            .name("items")
            .type()
            .array()
            .items()
            .stringType()
            .arrayDefault(List.of())
            .endRecord();

    private final GenericData.Record record = new GenericData.Record(SCHEMA);

    private static byte[] written(GenericData.Record record) {
        HashBuffer buffer = new HashBuffer();
        new ContentHashEncoder().write(record, buffer);
        return buffer.toBytes();
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        out.writeInt(text.getBytes(UTF_8).length);
        out.write(text.getBytes(UTF_8));
    }

    @Test
    void fieldsWithTheirDefaultsAreOmitted() {
        record.put("count", 7);
        record.put("size", 9L);
        record.put("text", "none");
        record.put("flag", true);
        record.put("items", List.of());
        assertThat(written(record)).isEqualTo(new byte[4]);
    }

    @Test
    void fieldsWithOtherValuesAreHashedByTheirTypes() throws IOException {
        record.put("count", 9);
        record.put("size", 7L);
        record.put("text", "");
        record.put("flag", false);
        record.put("plain", true);
        record.put("raw", ByteBuffer.wrap(new byte[] {5, 6, 7}));
        record.put("items", List.of("a", "b"));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        text(out, "count");
        out.writeLong(9);
        text(out, "size");
        out.writeLong(7);
        text(out, "text");
        text(out, "");
        text(out, "flag");
        out.writeByte(0);
        text(out, "plain");
        out.writeByte(1);
        // Only the payload of an audit record or its message is represented by its length.
        text(out, "raw");
        out.writeInt(3);
        out.write(new byte[] {5, 6, 7});
        text(out, "items");
        out.writeInt(2);
        text(out, "a");
        text(out, "b");
        out.writeInt(0);
        assertThat(written(record)).isEqualTo(bytes.toByteArray());
    }

    @Test
    void aValueOfAnotherTypeIsRefused() {
        record.put("text", Map.of("a", "b"));
        assertThatThrownBy(() -> written(record))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Cannot hash the content of class ");
    }
}
