/**
 * The topics of a deployment, a public contract: serdes, headers, partitioning, settings, and their creation.
 * Everything that reads or writes Kafka uses it; the names are those of {@code TopicNames}. Start at
 * {@link dev.parley.topology.topics.Topics}.
 */
package dev.parley.topology.topics;
