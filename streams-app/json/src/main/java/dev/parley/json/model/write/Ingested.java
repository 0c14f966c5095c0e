package dev.parley.json.model.write;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.parley.json.model.InputRecord;
import dev.parley.json.model.ParkedItem;
import dev.parley.state.Nullable;

/**
 * A message that is in the input.
 *
 * @param position input position
 * @param repeated whether an earlier request with the same idempotency key had sent it
 * @param verdict null if the request did not wait for it
 * @param parked the patch, if it was still parked when the wait ended; null otherwise
 */
public record Ingested(
        String position,
        String topic,
        int partition,
        long offset,
        boolean repeated,
        @JsonInclude(Include.NON_NULL) @Nullable Verdict verdict,
        @JsonInclude(Include.NON_NULL) @Nullable ParkedItem parked) {

    /**
     * The result of the views for the message.
     *
     * @param record null if it was not visible in time
     */
    public record Verdict(@JsonValue @Nullable InputRecord record) {}
}
