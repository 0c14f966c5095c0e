package dev.parley.tap;

/** Direction of a message. */
enum Direction {
    CLIENT_TO_SERVER("client-to-server"),
    SERVER_TO_CLIENT("server-to-client");

    private final String spelling;

    Direction(String spelling) {
        this.spelling = spelling;
    }

    /** Returns the value of the header {@code parley-direction}. */
    @Override
    public String toString() {
        return spelling;
    }
}
