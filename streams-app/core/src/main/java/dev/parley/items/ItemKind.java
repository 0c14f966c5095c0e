package dev.parley.items;

/** Kinds of items: requests that await a result. The names are symbols of the analytics topics. */
public enum ItemKind {
    /** A SLIP or CSP task. */
    TASK,
    /** A CSP query. */
    QUERY,
    /** A Λ question. */
    QUESTION,
    /** A Λ offer or counter-offer. */
    OFFER,
    /** A SUBIT INTENT or PLAN. */
    CYCLE
}
