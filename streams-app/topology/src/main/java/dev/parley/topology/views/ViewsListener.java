package dev.parley.topology.views;

import java.time.Instant;

/**
 * Receives the progress of the views, for metrics. Stream threads call it concurrently for every audit record, so it
 * must be fast and must not throw.
 */
@FunctionalInterface
public interface ViewsListener {
    /** Ignores all calls. */
    ViewsListener NONE = timestamp -> {};

    /**
     * An audit record is visible. A view that is rebuilt reports its records again.
     *
     * @param timestamp timestamp of the input record
     */
    void visible(Instant timestamp);
}
