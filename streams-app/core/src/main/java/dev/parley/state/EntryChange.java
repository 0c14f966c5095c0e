package dev.parley.state;

import java.util.Optional;

/**
 * A change of one entry of a state.
 *
 * @param value the new value; empty if the entry was removed
 * @param gloss the message that made the change, in one sentence; empty if the query has no glosses
 */
public record EntryChange(Optional<String> value, ChangeOrigin origin, Optional<String> gloss)
        implements QueryBudget.Item {}
