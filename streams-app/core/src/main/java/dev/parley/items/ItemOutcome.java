package dev.parley.items;

/** How an item was closed. The names are symbols of the analytics topics. */
public enum ItemOutcome {
    /** Completed, answered, or accepted. */
    RESULT,
    /** Rejected, or answered by a counter-offer. */
    REFUSED,
    /** An error, or a result that reports a failure. */
    FAILED
}
