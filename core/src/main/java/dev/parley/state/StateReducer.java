package dev.parley.state;

import dev.parley.avro.AuditRecord;
import java.util.List;

/**
 * What the accepted messages of one protocol do to the state, one after the other. For one conversation and one thread.
 */
public interface StateReducer {

    /** The changes that the next accepted message makes, in its order. */
    List<Change> of(AuditRecord record);

    /** Memory that is kept for later messages, about. */
    default long bytes() {
        return 0;
    }
}
