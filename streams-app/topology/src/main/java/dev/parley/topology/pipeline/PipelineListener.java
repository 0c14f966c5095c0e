package dev.parley.topology.pipeline;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Protocol;
import dev.parley.avro.Stage;
import dev.parley.avro.Verdict;
import org.apache.kafka.common.header.Headers;

/**
 * Receives the verdicts of the pipeline, for metrics and traces. Stream threads call it concurrently for every record,
 * so it must be fast and must not throw.
 */
@FunctionalInterface
public interface PipelineListener {
    /** Ignores all calls. */
    PipelineListener NONE = (protocol, verdict, stage, code) -> {};

    /**
     * The pipeline recorded a final verdict. It records the verdict again after an aborted transaction.
     *
     * @param protocol protocol of the message
     * @param verdict verdict on the message
     * @param stage stage that failed; NONE if the message was accepted
     * @param code code of the verdict; null if the message was accepted
     */
    void recorded(Protocol protocol, Verdict verdict, Stage stage, String code);

    /**
     * The same verdict as its audit record, for listeners that need more. Does nothing unless overridden.
     *
     * @param audit audit record; must not be changed
     * @param headers headers of the input record; must not be changed
     */
    default void recorded(AuditRecord audit, Headers headers) {}

    /**
     * The task of a partition may sign its log, or not because the check of the restored log failed. Does nothing
     * unless overridden.
     *
     * @param partition partition of the log
     * @param signs false if the log is not signed by this instance until another check succeeds or the task ends
     */
    default void signing(int partition, boolean signs) {}
}
