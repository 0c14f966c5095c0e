package dev.parley.checkpoint;

/**
 * The value of a name in a state.
 *
 * @param setter ordinal of the checkpoint that set it
 */
public record Definition(String value, long setter) {}
