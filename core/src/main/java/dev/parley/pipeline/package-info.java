/**
 * The stages that a record passes, as plain functions: judge, apply, record. It depends on the other packages of the
 * core; {@code topology} runs the stages in Kafka Streams, offline commands run them over memory. Start reading at
 * {@link dev.parley.pipeline.OfflinePipeline}, which has all of them in order.
 */
package dev.parley.pipeline;
