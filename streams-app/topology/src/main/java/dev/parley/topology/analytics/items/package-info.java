/**
 * Requests that await their results, found in the audit records of a conversation: pure functions without Kafka. Only
 * the store of open items in {@code topology.analytics} calls them. Start at
 * {@link dev.parley.topology.analytics.items.ItemTracker}.
 */
package dev.parley.topology.analytics.items;
