package dev.parley.json.model;

import dev.parley.state.Nullable;
import java.time.Instant;

/**
 * A dead letter.
 *
 * @param id topic, partition and offset, separated by slashes
 * @param position byte offset of the decode error
 * @param claimed whether namespace, conversation and sender are unproven claims of an undecodable record
 * @param returned whether a redrive has returned it
 * @param closed whether an operator has closed it
 * @param source the failed record; unknown parts are null
 * @param valueSize bytes of the value; null if there was none, or if redacted
 * @param sha256 hash of the value; null if redacted
 * @param preview first bytes of the value, as text or in base64
 */
public record DeadLetter(
        String id,
        String stage,
        @Nullable String code,
        @Nullable String detail,
        @Nullable String exception,
        @Nullable Integer position,
        String protocol,
        @Nullable String namespace,
        @Nullable String conversation,
        @Nullable String sender,
        boolean claimed,
        @Nullable Integer attempt,
        boolean returned,
        boolean closed,
        Instant timestamp,
        RecordPosition source,
        RecordPosition deadLetter,
        @Nullable Integer valueSize,
        @Nullable String sha256,
        @Nullable String preview,
        @Nullable String previewEncoding,
        @Nullable String gloss,
        boolean redacted,
        boolean bodyOmitted) {

    /** Position of a record; unknown parts are null. */
    public record RecordPosition(
            @Nullable String topic,
            @Nullable Integer partition,
            @Nullable Long offset) {}

    /**
     * Dead letters of one stage, code and partition, counted.
     *
     * @param code null for exceptions without a code
     */
    public record Count(String stage, @Nullable String code, int partition, long count) {}
}
