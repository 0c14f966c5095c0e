/**
 * The traffic counts: the application that writes the analytics topics, with messages per minute, turnarounds and open
 * items. The server starts it and derives its permissions; views and pipeline do not use it. Start at
 * {@link dev.parley.topology.analytics.TrafficTopology}.
 */
package dev.parley.topology.analytics;
