/**
 * The pipeline on Kafka Streams: topics, stores, and the stages of {@link dev.parley.pipeline} as processors. Knows
 * nothing of HTTP.
 */
package dev.parley.topology;
