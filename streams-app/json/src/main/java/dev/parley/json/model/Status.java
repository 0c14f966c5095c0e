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
     * @param applications records after the committed positions
     * @param overdue those of them that are older than the commit interval, so the application has not read them
     */
    public record Lag(@Nullable Instant asOf, Map<String, Long> applications, Map<String, Long> overdue) {}

    /** When a chain head was last published, and last signed; null if never. */
    public record Heads(
            @Nullable Instant lastPublished,
            @Nullable Instant lastSigned,
            @Nullable String keyId) {}

    /**
     * A published head.
     *
     * @param keyId ID of the key that signed it; null if it is not signed
     */
    public record Head(
            String chain,
            long sequence,
            Instant time,
            @Nullable String keyId) {}
}
