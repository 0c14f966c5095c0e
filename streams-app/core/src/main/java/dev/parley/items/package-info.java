/**
 * Requests that await their results, found in the audit records of a conversation: pure functions, one
 * {@link dev.parley.items.ItemRules} for each protocol. Start at {@link dev.parley.items.ItemTracker}.
 */
package dev.parley.items;
