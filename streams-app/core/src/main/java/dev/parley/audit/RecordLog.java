package dev.parley.audit;

import dev.parley.avro.LogPosition;
import java.nio.ByteBuffer;

/** The log that contains the hash of each audit record. Not thread-safe. */
public interface RecordLog {
    /** Position of the next record. */
    LogPosition next();

    /**
     * Appends the record whose position is {@link #next}.
     *
     * @param hash hash of the record, the log's entry for it
     */
    void append(ByteBuffer hash);
}
