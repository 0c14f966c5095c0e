package dev.parley.checkpoint;

/**
 * The value of a name in a state.
 *
 * @param setter ordinal of the checkpoint that set it; {@link #UNKNOWN} after a snapshot without setters, from an
 *     earlier version
 */
public record Definition(String value, long setter) {
    /** No checkpoint has this ordinal. */
    public static final long UNKNOWN = -1;
}
