package dev.parley.tap;

import java.util.List;

/**
 * Records that are delivered together.
 *
 * @param name a name that no other batch has; one that is delivered again keeps it
 * @param records one or more records
 */
record Batch(String name, List<Captured> records) {
    static final int MAX_RECORDS = 500;
    static final int MAX_BYTES = 1 << 20;
}
