/**
 * The topics of a deployment, a public contract: names, serdes, headers, partitioning, settings, and their creation.
 * Everything that reads or writes Kafka uses it; it knows only the configuration. Start at
 * {@link dev.parley.topology.topics.Topics}.
 */
package dev.parley.topology.topics;
