package dev.parley.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import dev.parley.codec.Code;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** One JSON object a line. */
final class JsonLines {
    private static final JsonFactory FACTORY = new JsonFactoryBuilder()
            .rootValueSeparator((String) null)
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .build();

    private JsonLines() {}

    /** A buffered generator; each object is to be ended by {@link #end}. Its end flushes the stream and leaves it open. */
    static JsonGenerator generator(OutputStream out) throws IOException {
        return FACTORY.createGenerator(new BufferedOutputStream(out, 1 << 16));
    }

    /** Ends an object and its line. */
    static void end(JsonGenerator json) throws IOException {
        json.writeEndObject();
        json.writeRaw('\n');
    }

    static void codes(JsonGenerator json, String field, List<Code> codes) throws IOException {
        json.writeArrayFieldStart(field);
        for (Code code : codes) {
            json.writeString(code.name());
        }
        json.writeEndArray();
    }
}
