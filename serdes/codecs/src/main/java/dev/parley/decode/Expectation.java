package dev.parley.decode;

import dev.parley.codec.Decimal;
import dev.parley.codec.RecordHeaders;
import java.nio.charset.StandardCharsets;

/**
 * The condition of the header {@value RecordHeaders#EXPECT}, under which a message is applied: the position of its
 * conversation, that the rules accept it, or both, as in {@code 12 accepted}.
 *
 * @param sequence sequence that the audit record of the message must have; {@value Decimal#NONE} for any
 * @param accepted whether the rules must accept the message
 */
public record Expectation(long sequence, boolean accepted) {
    /** The expectation of a message without the header. */
    public static final Expectation NONE = new Expectation(Decimal.NONE, false);

    /** Maximum bytes of a header: a sequence and the word. */
    static final int MAX_BYTES = 28;

    /** What a header may have, for sentences. */
    public static final String FORMS = "a sequence, the word accepted, or both, such as '12 accepted'";

    private static final String ACCEPTED = "accepted";

    /**
     * Reads a header.
     *
     * @param header its value; null if it is absent
     * @return null if it has none of the {@link #FORMS}
     */
    public static Expectation of(byte[] header) {
        if (header == null || header.length == 0) {
            return NONE;
        }
        if (header.length > MAX_BYTES) {
            return null;
        }
        String text = new String(header, StandardCharsets.US_ASCII);
        if (text.equals(ACCEPTED)) {
            return new Expectation(Decimal.NONE, true);
        }
        boolean accepted = text.endsWith(' ' + ACCEPTED);
        int end = text.length() - (accepted ? ACCEPTED.length() + 1 : 0);
        long sequence = Decimal.parse(text, 0, end, Long.MAX_VALUE);
        return sequence == Decimal.NONE ? null : new Expectation(sequence, accepted);
    }

    /** Whether a message is not applied, because its conversation has another position. */
    public boolean isMissedAt(long position) {
        return sequence != Decimal.NONE && sequence != position;
    }
}
