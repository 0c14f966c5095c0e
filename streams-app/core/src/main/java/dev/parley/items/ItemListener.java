package dev.parley.items;

import dev.parley.avro.TrackedItem;

/** Receives the changes of the open items of one conversation. */
public interface ItemListener {

    /** An item was opened. */
    void opened(TrackedItem item);

    /** The time of an item's last activity or its position changed. */
    void touched(TrackedItem item);

    /**
     * An item was closed by an answer.
     *
     * @param agent sender of the answer; null if unknown
     */
    void closed(TrackedItem item, ItemOutcome outcome, String agent);

    /** An item ended without an answer: it was replaced, its dialogue ended or was idle, or a bound was reached. */
    void dropped(TrackedItem item);
}
