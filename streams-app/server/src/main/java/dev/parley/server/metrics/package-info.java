/**
 * The registry of all metrics, and the meters of the applications, which know no metrics. Other components register
 * their meters themselves. Start with {@link dev.parley.server.metrics.Metrics}.
 */
package dev.parley.server.metrics;
