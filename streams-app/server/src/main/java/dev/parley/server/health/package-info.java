/**
 * How far the input partitions are processed: lag, stalls with their cause, and restarts; and the sums of the
 * accounting. The handlers of health, status and accounting use it, and it registers its own meters. Start at
 * {@link dev.parley.server.health.ProgressMonitor}.
 */
package dev.parley.server.health;
