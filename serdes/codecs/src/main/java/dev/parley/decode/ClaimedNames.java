package dev.parley.decode;

/**
 * Names that a message claims although it cannot be decoded.
 *
 * @param conversation conversation ID in the message; null without one
 * @param sender sending agent in the message; null without one
 * @param senderHint sender from a transcript's label, used if neither message nor record names one; null without one
 */
public record ClaimedNames(String conversation, String sender, String senderHint) {
    /** Maximum number of bytes of a message from which names are read. */
    public static final int MAX_BYTES = 8 << 10;

    /** No names. */
    public static final ClaimedNames NONE = new ClaimedNames(null, null, null);

    /** Returns the index after the bytes from which names are read. */
    public static int end(byte[] wire) {
        return Math.min(wire.length, MAX_BYTES);
    }
}
