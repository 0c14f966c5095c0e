package dev.parley.encoding;

/** Encodes one non-null value. */
interface ValueEncoder {
    void encode(Object value, ByteOutput out);
}
