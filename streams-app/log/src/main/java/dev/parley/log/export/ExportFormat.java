package dev.parley.log.export;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.parley.avro.ExportEntry;
import dev.parley.codec.TrustedRecords;
import dev.parley.json.AvroJson;
import dev.parley.json.LineBreakEscapes;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.specific.SpecificDatumWriter;

/** The file format of an export that can be verified. */
public enum ExportFormat implements ExportTarget {
    /** One JSON object per line, as {@link AvroJson} writes it. */
    JSONL {
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
    },

    /** An Avro object container file. */
    AVRO {
        @Override
        public ExportWriter to(OutputStream out) throws IOException {
            TrustedRecords.trust();
            DataFileWriter<ExportEntry> file =
                    new DataFileWriter<>(new SpecificDatumWriter<ExportEntry>(ExportEntry.getClassSchema()));
            file.setCodec(CodecFactory.deflateCodec(LEVEL));
            file.create(ExportEntry.getClassSchema(), new BufferedOutputStream(out, BUFFER));
            return new ExportWriter() {
                @Override
                public void write(ExportEntry entry) throws IOException {
                    file.append(entry);
                }

                @Override
                public void close() throws IOException {
                    file.close();
                }
            };
        }
    };

    private static final JsonFactory JSON =
            LineBreakEscapes.factory().rootValueSeparator((String) null).build();
    private static final int BUFFER = 1 << 16;

    /** Costs as much as the fastest level, 1, and less to inflate. */
    private static final int LEVEL = 3;

    @Override
    public boolean isProvable() {
        return true;
    }

    /** Creates a generator of the JSON form of an entry. */
    static JsonGenerator generator(OutputStream out) throws IOException {
        return JSON.createGenerator(out);
    }
}
