package dev.parley.topology.analytics;

/**
 * Writes and reads the fields of a key: each as its length, a bar, and its text, or as a minus sign and a bar if it is
 * null. No text needs escaping.
 */
final class KeyFields {
    private static final char SEPARATOR = '|';
    private static final String ABSENT = "-";

    private final String key;
    private int position;

    /** Reads the fields of a key from a position. */
    KeyFields(String key, int position) {
        this.key = key;
        this.position = position;
    }

    static void append(StringBuilder key, String field) {
        if (field == null) {
            key.append(ABSENT).append(SEPARATOR);
        } else {
            key.append(field.length()).append(SEPARATOR).append(field);
        }
    }

    /** Returns the next field; may be null. */
    String next() {
        int separator = key.indexOf(SEPARATOR, position);
        if (key.startsWith(ABSENT, position)) {
            position = separator + 1;
            return null;
        }
        int start = separator + 1;
        position = start + Integer.parseInt(key, position, separator, 10);
        return key.substring(start, position);
    }
}
