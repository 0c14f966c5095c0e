package dev.parley.log.export;

import java.io.IOException;
import java.io.OutputStream;

/** Destination of the entries of an export: a file format, or a table. */
public interface ExportTarget {
    /**
     * Creates the writer of one export.
     *
     * @param out stream for the file; the writer closes it
     * @throws IOException if the stream cannot be written
     */
    ExportWriter to(OutputStream out) throws IOException;

    /** Whether the export can be verified. Another one also has the records that no head covers yet. */
    default boolean isProvable() {
        return false;
    }
}
