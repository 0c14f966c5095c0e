package dev.parley.state;

/**
 * An entry of a state.
 *
 * @param value its value
 * @param setter the message that set it last
 */
public record Entry(String value, Setter setter) {}
