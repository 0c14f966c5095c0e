package dev.parley.state;

import dev.parley.avro.AuditRecord;
import java.util.List;

/** Derives state changes from the accepted messages of one conversation, in order. Not thread-safe. */
public interface StateReducer {

    /** Returns the changes of the next accepted message, in order. */
    List<Change> of(AuditRecord record);

    /** Approximate memory retained for later messages. */
    default long bytes() {
        return 0;
    }
}
