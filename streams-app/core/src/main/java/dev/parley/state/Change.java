package dev.parley.state;

import java.util.Optional;

/**
 * Change of one entry of a state by a message.
 *
 * @param entry name of the entry
 * @param value its new value; empty if the message removes the entry
 */
public record Change(String entry, Optional<String> value) {

    public static Change set(String entry, String value) {
        return new Change(entry, Optional.of(value));
    }

    public static Change clear(String entry) {
        return new Change(entry, Optional.empty());
    }
}
