/**
 * The way of a record as pure stages: judge, apply, record. The topology adapts them to Kafka Streams; the offline commands run them over memory.
 */
package dev.parley.pipeline;
