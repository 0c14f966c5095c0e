package dev.parley.state;

import java.util.Optional;

/**
 * A change of one entry of a state.
 *
 * @param value the new value; empty if the entry was removed
 * @param origin origin of the change
 */
public record EntryChange(Optional<String> value, ChangeOrigin origin) implements QueryBudget.Item {}
