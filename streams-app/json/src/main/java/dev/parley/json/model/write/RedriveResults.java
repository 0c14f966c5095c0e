package dev.parley.json.model.write;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.parley.json.model.EncodedText;
import dev.parley.state.Nullable;
import java.util.List;

/**
 * The results of a redrive.
 *
 * @param operation name of the operation, which the record of each redrive has
 * @param next cursor of the next request; null if this was the last
 */
public record RedriveResults(
        String operation, List<Item> results, @Nullable String next) {

    /**
     * The result for one dead letter.
     *
     * @param sent input position of the message
     * @param verdict predicted verdict; null if it cannot be predicted
     * @param unwrapped the inner message that is sent instead of the value
     */
    public record Item(
            String id,
            String outcome,
            @Nullable Integer attempt,
            @Nullable String sent,
            @Nullable String verdict,
            @Nullable String code,
            @Nullable String detail,
            @JsonInclude(Include.NON_NULL) @Nullable Unwrapped unwrapped) {}

    /**
     * A message inside the value of a dead letter.
     *
     * @param start byte offset of its first byte in the value
     * @param end byte offset after its last byte
     * @param sha256 its hash, which confirms it
     * @param size its bytes
     * @param text its first bytes, see {@link EncodedText}
     */
    public record Unwrapped(
            String protocol, int start, int end, String sha256, int size, String text, String encoding) {}
}
