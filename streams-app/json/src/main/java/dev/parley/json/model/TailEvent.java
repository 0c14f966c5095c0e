package dev.parley.json.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.parley.avro.Claims;
import dev.parley.json.Nullable;
import java.time.Instant;
import java.util.List;

/**
 * An audit record in a live tail.
 *
 * @param claims what an undecodable record claims to be; unproven
 * @param bytes size of the message; null if it is redacted
 */
public record TailEvent(
        String chain,
        String namespace,
        String protocol,
        String conversation,
        long sequence,
        Instant time,
        @Nullable String sender,
        @JsonInclude(Include.NON_NULL) @Nullable Claims claims,
        List<String> to,
        @Nullable String performative,
        String verdict,
        @Nullable String code,
        @Nullable Integer bytes,
        @Nullable String gloss) {}
