package dev.parley.json.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.parley.avro.Claims;
import dev.parley.state.Nullable;
import java.time.Instant;
import java.util.List;

/** One line of the response to a search, with exactly one member. */
@JsonInclude(Include.NON_NULL)
public record SearchLine(
        @Nullable Hit hit,
        @Nullable Progress progress,
        @Nullable Done done) {

    /**
     * An audit record that satisfies a search.
     *
     * @param time time of receipt
     * @param claimedTime time that the sender claims, unproven; null if none is visible
     * @param claims what an undecodable record claims to be; unproven
     * @param excerpt text around a word; null if masked or redacted
     * @param masked whether markers replace values of the content for the caller
     */
    public record Hit(
            String namespace,
            String protocol,
            String conversation,
            String chain,
            long sequence,
            Instant time,
            @JsonInclude(Include.NON_NULL) @Nullable Instant claimedTime,
            @Nullable String sender,
            @JsonInclude(Include.NON_NULL) @Nullable Claims claims,
            @Nullable String performative,
            String verdict,
            @Nullable String code,
            @Nullable String excerpt,
            boolean redacted,
            @JsonInclude(Include.NON_DEFAULT) boolean masked) {}

    /** The time to which a search has come. */
    public record Progress(Instant through) {}

    /**
     * The end of a response.
     *
     * @param cursor continues the search; null if it is complete
     * @param words what the search looks for in texts, without case and accents; an asterisk follows the beginning of
     *     a word
     * @param ignored parts of the query that are ignored, each with the reason
     */
    public record Done(@Nullable String cursor, boolean complete, List<String> words, List<String> ignored) {}
}
