/**
 * The views of all instances as one: routing of queries to the owners of partitions, and the protocol between peers
 * (docs/architecture.md). The HTTP server and its handlers use it; it knows neither. Start at
 * {@link dev.parley.server.cluster.Routing}, which answers queries from
 * {@link dev.parley.server.cluster.DistributedViews}.
 */
package dev.parley.server.cluster;
