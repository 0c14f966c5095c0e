package dev.parley.codec;

/**
 * Limits on one message, enforced before memory is allocated.
 *
 * @param messageBytes maximum bytes of a message; beyond it, MESSAGE_TOO_LARGE
 * @param depth maximum nesting depth, the outermost bracket being 1; beyond it, TOO_DEEP. SUBIT packets never exceed
 *     1,000
 * @param fields maximum slots or keys of a message; beyond it, TOO_MANY_FIELDS
 * @param operations maximum operations of a patch; beyond it, TOO_MANY_FIELDS
 */
public record Limits(int messageBytes, int depth, int fields, int operations) {

    /** 1 MiB, depth 10, 1,000 fields, 10,000 operations. */
    public static final Limits DEFAULT = new Limits(1 << 20, 10, 1_000, 10_000);

    public static final Limits NONE =
            new Limits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);

    /** Requires every limit to be positive. */
    public Limits {
        if (messageBytes < 1 || depth < 1 || fields < 1 || operations < 1) {
            throw new IllegalArgumentException("limits must be positive");
        }
    }
}
