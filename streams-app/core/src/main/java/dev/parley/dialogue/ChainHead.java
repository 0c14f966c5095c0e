package dev.parley.dialogue;

import java.nio.ByteBuffer;

/**
 * End of the audit chain of a conversation.
 *
 * @param records number of audit records, which is also the sequence of the next one
 * @param hash hash of the last audit record; empty before the first
 * @param redactions number of recorded redactions and approvals
 */
public record ChainHead(long records, ByteBuffer hash, long redactions) {
    /** The head of a chain without records. */
    public static final ChainHead EMPTY = new ChainHead(0, ByteBuffer.allocate(0), 0);
}
