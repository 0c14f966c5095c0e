package dev.parley.log.export;

import dev.parley.avro.ExportEntry;
import java.io.IOException;

/** Writes the entries of an export. Closing it closes the underlying stream. */
public interface ExportWriter extends AutoCloseable {

    void write(ExportEntry entry) throws IOException;

    @Override
    void close() throws IOException;
}
