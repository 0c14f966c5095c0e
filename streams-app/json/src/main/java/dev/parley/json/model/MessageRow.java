package dev.parley.json.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.parley.avro.Claims;
import dev.parley.state.Nullable;
import java.time.Instant;
import java.util.List;

/**
 * A row of a timeline.
 *
 * @param time time of receipt
 * @param claimedTime time that the sender claims, unproven; null if none is visible
 * @param claims what an undecodable record claims to be; unproven
 * @param warnings number of warnings
 * @param bytes size of the message; null if it is redacted
 * @param masked whether markers replace values of the content for the caller
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NONE)
public record MessageRow(
        long sequence,
        Instant time,
        @JsonInclude(Include.NON_NULL) @Nullable Instant claimedTime,
        @Nullable String sender,
        @JsonInclude(Include.NON_NULL) @Nullable Claims claims,
        List<String> to,
        @Nullable String performative,
        String verdict,
        @Nullable String code,
        int warnings,
        @Nullable Integer bytes,
        @Nullable String gloss,
        boolean redacted,
        @JsonInclude(Include.NON_DEFAULT) boolean masked)
        implements MessageItem {}
