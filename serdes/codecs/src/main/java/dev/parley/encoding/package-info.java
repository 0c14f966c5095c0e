/**
 * Avro's binary encoding of Parley's records: the same bytes as {@code SpecificDatumWriter}, for a fraction of its
 * cost. Depends on Avro only; codecs, serdes, stores and content hashes may depend on it. Start with
 * {@link dev.parley.encoding.RecordEncoder}.
 */
package dev.parley.encoding;
