package dev.parley.items;

import dev.parley.avro.AuditRecord;

/** What opens and closes the items of one protocol. Pure and thread-safe. */
public interface ItemRules {
    /** A protocol without items. */
    ItemRules NONE = (items, audit, state) -> null;

    /**
     * Follows a message of the protocol.
     *
     * @param items open items, changed by the message
     * @param audit record with the message
     * @param state what these rules returned for the message before it; null if none or the dialogue was idle
     * @return what they need at the next message; null for nothing
     */
    String follow(OpenItems items, AuditRecord audit, String state);

    /** Whether messages of every verdict count: the verdict changes nothing for the agents. Otherwise accepted ones. */
    default boolean includesViolations() {
        return false;
    }

    /** Whether an item that is idle ends although others of its conversation are active. */
    default boolean areIdleAlone() {
        return false;
    }
}
