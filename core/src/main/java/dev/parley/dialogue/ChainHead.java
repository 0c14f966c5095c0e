package dev.parley.dialogue;

import java.nio.ByteBuffer;

/**
 * Where the audit chain of a conversation ends.
 *
 * @param records number of its audit records, which is the sequence of the next
 * @param hash hash of the last one; empty before the first
 * @param redactions number of redactions that it records
 */
public record ChainHead(long records, ByteBuffer hash, long redactions) {
    /** The head of a chain without records. */
    public static final ChainHead EMPTY = new ChainHead(0, ByteBuffer.allocate(0), 0);
}
