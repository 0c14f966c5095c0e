/**
 * Reads the view stores of this instance: partitions, ranges page by page, and cursors. It writes nothing and knows no
 * view. Start at {@link dev.parley.topology.views.read.StoreReader}.
 */
package dev.parley.topology.views.read;
