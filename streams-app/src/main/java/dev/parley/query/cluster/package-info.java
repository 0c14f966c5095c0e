/**
 * The views of all instances as one: which instance owns a partition, and the protocol between peers (docs/peers.md).
 * The HTTP API depends on it; it depends on the read side only. Start at {@link
 * dev.parley.query.cluster.DistributedViews}.
 */
package dev.parley.query.cluster;
