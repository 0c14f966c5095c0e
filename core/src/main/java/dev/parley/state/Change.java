package dev.parley.state;

import java.util.Optional;

/**
 * What one message does to one entry of a state.
 *
 * @param entry name of the entry
 * @param value its new value; empty when the message takes the entry away
 */
public record Change(String entry, Optional<String> value) {

    /** The entry has a value. */
    public static Change set(String entry, String value) {
        return new Change(entry, Optional.of(value));
    }

    /** The entry is taken away. */
    public static Change clear(String entry) {
        return new Change(entry, Optional.empty());
    }
}
