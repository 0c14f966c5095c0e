/**
 * The application that counts messages per minute for the analytics topics. The server starts it; no other package
 * depends on it. Start at {@link dev.parley.topology.analytics.TrafficTopology}.
 */
package dev.parley.topology.analytics;
