/**
 * The stages of the pipeline as pure functions: judge, redact, apply, record. {@link dev.parley.pipeline.JudgedRecord}
 * travels between them. The topology adapts them to Kafka Streams; the offline commands run them over memory.
 */
package dev.parley.pipeline;
