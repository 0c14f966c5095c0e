package dev.parley.json.model;

import dev.parley.json.Nullable;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The status of a deployment, and of the instance that answers. */
public record Status(boolean ready, List<Health.Part> parts, Accounting pipeline, Lag lag, Heads heads) {

    /**
     * Unread records by application.
     *
     * @param asOf time of the measurement; null if there was none
     */
    public record Lag(@Nullable Instant asOf, Map<String, Long> applications) {}

    /**
     * The last heads of the audit log.
     *
     * @param lastPublished when a head was last published; null if never
     * @param lastSigned when a head was last signed; null if never
     * @param keys keys that signed it, name and ID
     */
    public record Heads(@Nullable Instant lastPublished, @Nullable Instant lastSigned, List<String> keys) {}

    /**
     * The last head of the log of a partition.
     *
     * @param keys keys that signed it, name and ID
     */
    public record Head(String origin, long size, Instant time, List<String> keys) {}
}
