package dev.parley.decode;

import dev.parley.avro.Source;

/**
 * One record of an input topic.
 *
 * @param source where it stood
 * @param key its key; null when it has none
 * @param value its value; null for a tombstone
 * @param headers its headers
 */
public record WireRecord(Source source, byte[] key, byte[] value, RecordHeaders headers) {}
