/**
 * Kafka serdes: {@link dev.parley.serde.AvroSerdes} for Parley's records in Confluent's wire format, and the {@link
 * dev.parley.serde.WireSerde} family for the four wire protocols.
 */
package dev.parley.serde;
