package dev.parley.items;

/** Kinds of items: requests that await a result. The names are symbols of the analytics topics. */
public enum ItemKind {
    /** A SLIP or CSP task, or a call of a tool or model in MCP. */
    TASK,
    /** A CSP query, or another request in MCP. */
    QUERY,
    /** A Λ question. */
    QUESTION,
    /** A Λ offer or counter-offer. */
    OFFER,
    /** A SUBIT INTENT or PLAN. */
    CYCLE
}
