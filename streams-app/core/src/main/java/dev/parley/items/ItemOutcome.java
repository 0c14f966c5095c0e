package dev.parley.items;

/** How an item ended. The names are symbols of the analytics topics, and of the table calls of {@code parley sql}. */
public enum ItemOutcome {
    /** Completed, answered, or accepted. */
    RESULT,
    /** Rejected, or answered by a counter-offer; in MCP, refused by an HTTP error without a JSON-RPC message. */
    REFUSED,
    /** An error, or a result that reports a failure; in MCP, the tool's own failure alone. */
    FAILED,
    /** An error of the protocol: a JSON-RPC error. */
    ERROR,
    /** Canceled before its answer. */
    CANCELED,
    /** Answered after it was canceled. The item has counted as canceled before. */
    LATE,
    /** Never answered, although all messages were captured until the session ended or the item was idle. */
    HUNG
}
