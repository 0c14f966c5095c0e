package dev.parley.cli.io;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import dev.parley.codec.Code;
import dev.parley.json.ApiJson;
import dev.parley.logging.ControlCharacters;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** Writes JSON lines: one object per line, in UTF-8. */
public final class JsonLines {
    private static final JsonFactory FACTORY = new JsonFactoryBuilder()
            .rootValueSeparator((String) null)
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .characterEscapes(new SafeEscapes())
            .build();

    /** Escapes characters that a terminal or a reader of lines could misinterpret. */
    private static final class SafeEscapes extends CharacterEscapes {
        private static final long serialVersionUID = 1L;

        @Override
        public int[] getEscapeCodesForAscii() {
            return standardAsciiEscapesForJSON();
        }

        @Override
        public SerializableString getEscapeSequence(int character) {
            String text = String.valueOf((char) character);
            String escaped = ControlCharacters.escape(text);
            return escaped.equals(text) ? null : new SerializedString(escaped);
        }
    }

    private JsonLines() {}

    /** Prints a record or a tree as a JSON object, and a line feed. */
    public static void print(Object object) {
        System.out.println(ControlCharacters.escape(ApiJson.text(object)));
    }

    /**
     * A buffered generator that throws if standard output cannot be written. End each object with {@link #end}. Closing
     * it flushes the stream and leaves it open.
     */
    public static JsonGenerator generator(OutputStream out) throws IOException {
        return FACTORY.createGenerator(new BufferedOutputStream(StandardOutput.throwing(out), 1 << 16));
    }

    public static void end(JsonGenerator json) throws IOException {
        json.writeEndObject();
        json.writeRaw('\n');
    }

    /** Writes an array of codes. */
    public static void codes(JsonGenerator json, String field, List<Code> codes) throws IOException {
        json.writeArrayFieldStart(field);
        for (Code code : codes) {
            json.writeString(code.name());
        }
        json.writeEndArray();
    }
}
