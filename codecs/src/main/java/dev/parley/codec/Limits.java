package dev.parley.codec;

/**
 * Bounds on one message, checked before memory is taken.
 *
 * @param messageBytes most bytes of a message; beyond: MESSAGE_TOO_LARGE
 * @param depth deepest nesting, the outermost bracket being 1; beyond: TOO_DEEP. SUBIT packets nest 1,000 deep at most, whatever is allowed
 * @param fields most slots or keys of a message; beyond: TOO_MANY_FIELDS
 * @param operations most operations of a patch; beyond: TOO_MANY_FIELDS
 */
public record Limits(int messageBytes, int depth, int fields, int operations) {

    /** 1 MiB, depth 10, 1,000 fields, 10,000 operations. */
    public static final Limits DEFAULT = new Limits(1 << 20, 10, 1_000, 10_000);

    /** Nothing is refused for its size. */
    public static final Limits NONE =
            new Limits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);

    /** Checks that every bound is positive. */
    public Limits {
        if (messageBytes < 1 || depth < 1 || fields < 1 || operations < 1) {
            throw new IllegalArgumentException("limits are positive");
        }
    }
}
