package dev.parley.json.model;

import dev.parley.state.Nullable;
import java.time.Instant;

/**
 * A CSP patch that waits for its base.
 *
 * @param conversation its context
 * @param patch ID of the patch
 * @param base checkpoint that it waits for
 * @param target checkpoint that it would create
 * @param position input position
 * @param since record time of the patch
 * @param until record time at which it expires
 */
public record ParkedItem(
        String namespace,
        String conversation,
        String patch,
        String base,
        String target,
        @Nullable String sender,
        String position,
        Instant since,
        Instant until,
        Links links) {

    /**
     * Paths.
     *
     * @param verdict the verdict, once it is final
     * @param conversation the context; null if none of its messages has a verdict
     */
    public record Links(String verdict, @Nullable String conversation) {}
}
