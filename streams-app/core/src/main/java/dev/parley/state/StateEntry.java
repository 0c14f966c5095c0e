package dev.parley.state;

/**
 * An entry of a state.
 *
 * @param entry its name, unique in the state
 * @param by the message that set the value
 */
public record StateEntry(String entry, String value, ChangeOrigin by) {}
