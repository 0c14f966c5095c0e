package dev.parley.encoding;

import org.apache.avro.specific.SpecificRecord;

/**
 * A record with its Avro binary encoding in the schema of its class, so that it is not encoded again.
 *
 * @param record the record; not to be changed
 * @param bytes its encoding; not to be changed
 */
public record EncodedRecord<T extends SpecificRecord>(T record, byte[] bytes) {}
