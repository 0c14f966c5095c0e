package dev.parley.checkpoint;

/**
 * What a state says of one name.
 *
 * @param value the value
 * @param setter ordinal of the checkpoint that set it; {@link #UNKNOWN} when a snapshot written before setters were
 *     kept stands between
 */
public record Definition(String value, long setter) {
    /** No checkpoint has this ordinal. */
    public static final long UNKNOWN = -1;
}
