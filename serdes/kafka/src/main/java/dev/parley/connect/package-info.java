/**
 * Kafka Connect converters, for connectors that users configure; no other package uses them. Only this package needs
 * Connect's API, which every Connect worker has. Start with {@link dev.parley.connect.AvroConverter} for the output
 * topics, and with {@link dev.parley.connect.WireConverter} for messages of the wire protocol that its configuration
 * names.
 */
package dev.parley.connect;
