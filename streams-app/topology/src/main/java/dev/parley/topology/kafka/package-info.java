/**
 * What the three applications share with Kafka: client settings, record time, memory bounds, polls, and exception
 * handlers. Every package of the topology and the server may use it; it knows none of the applications. Start at
 * {@link dev.parley.topology.kafka.StreamsSettings}.
 */
package dev.parley.topology.kafka;
