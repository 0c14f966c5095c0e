package dev.parley.state;

/**
 * A change of one entry of a state.
 *
 * @param value the new value; null if the entry was removed
 * @param by the message that made the change
 * @param gloss that message in one sentence; null if the query has no glosses
 */
public record EntryChange(
        @Nullable String value, ChangeOrigin by, @Nullable String gloss) {}
