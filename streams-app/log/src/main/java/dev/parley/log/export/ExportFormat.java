package dev.parley.log.export;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.parley.avro.ExportEntry;
import dev.parley.json.AvroJson;
import dev.parley.json.LineBreakEscapes;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** The format of an export that can be verified: one JSON object per line, as {@link AvroJson} writes it. */
public final class ExportFormat implements ExportTarget {
    public static final ExportFormat JSONL = new ExportFormat();

    private static final JsonFactory JSON =
            LineBreakEscapes.factory().rootValueSeparator((String) null).build();
    private static final int BUFFER = 1 << 16;

    private ExportFormat() {}

    @Override
    public ExportWriter to(OutputStream out) throws IOException {
        JsonGenerator json = generator(new BufferedOutputStream(out, BUFFER));
        return new ExportWriter() {
            @Override
            public void write(ExportEntry entry) throws IOException {
                AvroJson.write(json, entry);
                json.writeRaw('\n');
            }

            @Override
            public void close() throws IOException {
                json.close();
            }
        };
    }

    @Override
    public boolean isProvable() {
        return true;
    }

    /** Creates a generator of the JSON form of an entry. */
    static JsonGenerator generator(OutputStream out) throws IOException {
        return JSON.createGenerator(out);
    }
}
