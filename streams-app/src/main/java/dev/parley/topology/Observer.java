package dev.parley.topology;

import dev.parley.avro.Protocol;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import java.time.Instant;

/** Hears what happens to records, for metrics. Stream threads call it, several at a time, for every record: it must be quick, and must not throw. */
public interface Observer {

    /** Hears nothing. */
    Observer NONE = new Observer() {};

    /**
     * The pipeline has recorded a final verdict. After a transaction that was aborted it does so once more.
     *
     * @param protocol protocol as which the message was read
     * @param verdict the verdict
     * @param stage where it failed; NONE when accepted
     * @param code what decided; null when accepted
     */
    default void recorded(Protocol protocol, Verdict verdict, Stage stage, String code) {}

    /**
     * The views show a record of the audit, now or, when they are rebuilt, once more.
     *
     * @param input time of its input record
     */
    default void shown(Instant input) {}
}
