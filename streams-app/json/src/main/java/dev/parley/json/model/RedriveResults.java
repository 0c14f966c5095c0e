package dev.parley.json.model;

import dev.parley.json.Nullable;
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
     */
    public record Item(
            String id,
            String outcome,
            @Nullable Integer attempt,
            @Nullable String sent,
            @Nullable String verdict,
            @Nullable String code,
            @Nullable String detail) {}
}
