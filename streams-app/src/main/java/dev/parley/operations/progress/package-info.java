/**
 * How far the input partitions are processed: lag, stalls with their cause, and restarts. Readiness, metrics, and the
 * accounting depend on it. Start at {@link dev.parley.operations.progress.ProgressMonitor}.
 */
package dev.parley.operations.progress;
