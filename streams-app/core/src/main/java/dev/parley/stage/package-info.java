/**
 * The stages of the pipeline as plain Java: judge, redact, apply, record. The processors of {@code topology.pipeline}
 * and the offline commands call them. Start at {@link dev.parley.stage.OfflinePipeline}, which runs all of them in
 * memory, and at {@link dev.parley.stage.JudgedRecord}, which they exchange.
 */
package dev.parley.stage;
