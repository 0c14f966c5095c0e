package dev.parley.query;

import dev.parley.codec.Decimal;
import java.util.Optional;

/**
 * Where a record of the input stands, written {@code topic-partition@offset}.
 *
 * @param topic an input topic
 * @param partition its partition
 * @param offset its offset there
 */
public record Position(String topic, int partition, long offset) {

    private static final long MAX_PARTITION = 999_999_999;
    private static final long MAX_OFFSET = 999_999_999_999_999_999L;

    /** Reads what {@link #toString} writes; empty when it is none. */
    public static Optional<Position> of(String text) {
        int at = text.lastIndexOf('@');
        int dash = at < 0 ? -1 : text.lastIndexOf('-', at);
        if (dash < 1) {
            return Optional.empty();
        }
        long partition = Decimal.parse(text, dash + 1, at, MAX_PARTITION);
        long offset = Decimal.parse(text, at + 1, text.length(), MAX_OFFSET);
        return partition == Decimal.NONE || offset == Decimal.NONE
                ? Optional.empty()
                : Optional.of(new Position(text.substring(0, dash), (int) partition, offset));
    }

    @Override
    public String toString() {
        return topic + '-' + partition + '@' + offset;
    }
}
