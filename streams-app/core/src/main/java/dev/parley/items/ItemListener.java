package dev.parley.items;

import dev.parley.avro.TrackedItem;

/** Receives the changes of the open items of one conversation. */
public interface ItemListener {

    /** An item was opened. */
    void opened(TrackedItem item);

    /** Stored properties of an item changed. A canceled item stays stored after it was closed. */
    void touched(TrackedItem item);

    /**
     * An item ended with an outcome.
     *
     * @param agent sender of the message that closed it; null if unknown or none did
     * @param bytes size of the answer; 0 without one
     */
    void closed(TrackedItem item, ItemOutcome outcome, String agent, long bytes);

    /** An item ended without an outcome: it was replaced, its dialogue ended or was idle, or a bound was reached. */
    void dropped(TrackedItem item);
}
