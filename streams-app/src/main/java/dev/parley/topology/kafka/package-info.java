/**
 * The shared parts of the three applications: topics, headers, time, client settings, and exception handlers. Every
 * package of the topology may depend on it; it depends on none of them. Start at {@link
 * dev.parley.topology.topics.Topics} and {@link dev.parley.topology.kafka.StreamsSettings}.
 */
package dev.parley.topology.kafka;
