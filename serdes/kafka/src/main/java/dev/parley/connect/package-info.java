/**
 * Kafka Connect converters: {@link dev.parley.connect.AvroConverter} for the output topics, and
 * {@link dev.parley.connect.WireConverter} for messages of the wire protocol that its configuration names. Only this
 * package needs Connect's API, which every Connect worker has.
 */
package dev.parley.connect;
