package dev.parley.tap;

import java.util.Locale;

/** Direction of a message. */
enum Direction {
    CLIENT_TO_SERVER,
    SERVER_TO_CLIENT;

    /** Returns the value of the header {@code parley-direction}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
