/**
 * How far the input partitions are processed: lag, stalls with their cause, and restarts. Readiness, metrics, and the
 * accounting depend on it. Start at {@link dev.parley.server.health.ProgressMonitor}.
 */
package dev.parley.server.health;
