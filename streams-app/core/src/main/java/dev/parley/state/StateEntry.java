package dev.parley.state;

/**
 * An entry of a state.
 *
 * @param name its name, unique in the state
 */
public record StateEntry(String name, String value, ChangeOrigin origin) implements QueryBudget.Item {}
