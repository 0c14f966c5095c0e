package dev.parley.server.tail;

import dev.parley.avro.AuditRecord;
import dev.parley.server.http.ProblemException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Opens readers of the audit topic. Thread-safe. */
public interface TailSource extends AutoCloseable {

    /**
     * Opens a reader.
     *
     * @param after position after which it starts; empty for the end of the topic
     * @throws ProblemException if the position belongs to another topic, or the brokers are unavailable
     */
    Cursor open(Optional<TailPosition> after);

    /** Closes what its readers share; readers close themselves. */
    @Override
    default void close() {}

    /** A committed audit record, and the position after it. */
    record Event(AuditRecord record, TailPosition position) {}

    /** Reads committed records in the order of each partition. For one thread. */
    interface Cursor extends AutoCloseable {

        /**
         * Waits for records.
         *
         * @return those of the next records that the filter selects; none if none came in time
         * @throws TailEndException if the topic no longer has the next records, or brokers or registry are
         *     unavailable
         */
        List<Event> poll(Duration timeout, TailFilter filter);

        /** The position after all records that were returned, and after those that were skipped. */
        TailPosition position();

        @Override
        void close();
    }
}
