package dev.parley.json.model;

import dev.parley.state.Nullable;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The status of a deployment, and of the instance that answers.
 *
 * @param features status lines of the features of the instance, by name
 */
public record Status(
        boolean ready,
        List<Health.Part> parts,
        AccountingReport pipeline,
        Lag lag,
        Heads heads,
        Map<String, Object> features) {

    /**
     * Unread records by application.
     *
     * @param asOf time of the measurement; null if there was none
     * @param applications records after the committed positions
     * @param overdue those of them that are older than the commit interval, so the application has not read them
     * @param history lag and pending inputs of the pipeline in each of the last 60 minutes
     */
    public record Lag(
            @Nullable Instant asOf,
            Map<String, Long> applications,
            Map<String, Long> overdue,
            List<AccountingReport.Sample> history) {}

    /**
     * The last heads of the audit log.
     *
     * @param lastPublished when a head was last published; null if never
     * @param lastSigned when a head was last signed; null if never
     * @param ageSeconds seconds since a head was last signed; null if never
     * @param records number of records in the last heads of all logs
     * @param keys keys that signed the last signed head, name and ID
     * @param unsigned partitions of the logs that the instance that answers writes and does not sign
     */
    public record Heads(
            @Nullable Instant lastPublished,
            @Nullable Instant lastSigned,
            @Nullable Long ageSeconds,
            long records,
            List<String> keys,
            List<Integer> unsigned) {}

    /**
     * A witness of the audit log, in the status line {@code witnesses}, for the logs that the instance that answers
     * owns.
     *
     * @param cosigned number of logs whose last submitted head it has cosigned
     * @param behind partitions of the logs whose last submitted head it has not cosigned
     * @param splitViews partitions of the logs for which it cosigned a different history
     * @param behindSeconds longest time for which a head lacks its cosignature; 0 if none does
     * @param detail why; null if none does
     */
    public record Witness(
            String name,
            int cosigned,
            List<Integer> behind,
            List<Integer> splitViews,
            long behindSeconds,
            @Nullable String detail) {}
}
