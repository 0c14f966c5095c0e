package dev.parley.server.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Iterator;
import java.util.function.BiConsumer;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;

/** Rewrites messages of peers as a build with other fields would write them. */
public final class OtherBuild {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ADDED = "addedByALaterBuild";

    private OtherBuild() {}

    /** The message of a build in which every record has one optional field more. */
    public static byte[] withOneFieldMore(byte[] message) throws IOException {
        return rewrite(message, (record, fields) -> {
            ObjectNode field = fields.addObject().put("name", ADDED).putNull("default");
            field.putArray("type").add("null").add("string");
        });
    }

    /** The message of a build in which a record does not have a field. */
    public static byte[] without(byte[] message, String record, String field) throws IOException {
        return rewrite(message, (name, fields) -> {
            if (name.equals(record)) {
                for (Iterator<JsonNode> all = fields.iterator(); all.hasNext(); ) {
                    if (all.next().path("name").asText().equals(field)) {
                        all.remove();
                        return;
                    }
                }
                throw new AssertionError("no field " + field);
            }
        });
    }

    private static void change(JsonNode schema, BiConsumer<String, ArrayNode> change) {
        schema.forEach(part -> change(part, change));
        if (schema.path("fields") instanceof ArrayNode fields) {
            change.accept(schema.path("name").asText(), fields);
        }
    }

    private static byte[] rewrite(byte[] message, BiConsumer<String, ArrayNode> change) throws IOException {
        BinaryDecoder in = DecoderFactory.get().binaryDecoder(message, null);
        String text = in.readString();
        JsonNode tree = JSON.readTree(text);
        change(tree, change);
        Schema other = new Schema.Parser().parse(tree.toString());
        Object value = new GenericDatumReader<>(new Schema.Parser().parse(text), other).read(null, in);
        if (value instanceof GenericRecord record && record.getSchema().getField(ADDED) != null) {
            record.put(ADDED, "x");
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BinaryEncoder out = EncoderFactory.get().binaryEncoder(bytes, null);
        out.writeString(other.toString());
        new GenericDatumWriter<>(other).write(value, out);
        out.flush();
        return bytes.toByteArray();
    }
}
