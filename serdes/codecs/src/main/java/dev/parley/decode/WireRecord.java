package dev.parley.decode;

import dev.parley.avro.Source;
import dev.parley.codec.RecordHeaders;

/**
 * One record of an input topic.
 *
 * @param source its input position
 * @param key its key; null without one
 * @param value its value; null for a tombstone
 */
public record WireRecord(Source source, byte[] key, byte[] value, RecordHeaders headers) {}
