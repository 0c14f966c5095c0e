package dev.parley.json.model;

import dev.parley.state.Nullable;
import java.time.Instant;
import java.util.List;

/**
 * The audit logs of a deployment, as their last notes say.
 *
 * @param statement statement of the partitions; null before the first
 * @param heads last head of each log, by partition
 */
public record AuditLogs(@Nullable Statement statement, List<PublishedHead> heads) {

    /**
     * The statement of all logs.
     *
     * @param partitions number of logs
     * @param keys keys that signed it, name and ID, without verification
     * @param note the note, in the format of C2SP signed-note
     */
    public record Statement(String origin, long partitions, Instant time, List<String> keys, String note) {}

    /**
     * The head of the log of a partition.
     *
     * @param size number of records
     * @param keys keys that signed it, name and ID, without verification
     * @param note the note, a checkpoint of C2SP tlog-checkpoint
     */
    public record PublishedHead(
            String origin, int partition, long size, Instant time, List<String> keys, String note) {}
}
