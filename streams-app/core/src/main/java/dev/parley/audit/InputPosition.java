package dev.parley.audit;

import dev.parley.avro.Source;
import dev.parley.codec.Decimal;
import java.util.Optional;

/**
 * Position of a record in an input topic, written {@code topic-partition@offset}.
 *
 * @param topic name of the input topic
 */
public record InputPosition(String topic, int partition, long offset) {
    /** Every offset that can be audited is less: sets of offsets have at most this many. */
    public static final long MAX_OFFSETS = (long) Integer.MAX_VALUE << 12;

    private static final long MAX_PARTITION = 999_999_999;
    private static final long MAX_OFFSET = 999_999_999_999_999_999L;

    public static InputPosition of(Source source) {
        return new InputPosition(source.getTopic(), source.getPartition(), source.getOffset());
    }

    /** Parses the form that {@link #toString} writes; empty if the text has another form. */
    public static Optional<InputPosition> parse(String text) {
        int at = text.lastIndexOf('@');
        int dash = text.lastIndexOf('-', at);
        if (dash < 1) {
            return Optional.empty();
        }
        long partition = Decimal.parse(text, dash + 1, at, MAX_PARTITION);
        long offset = Decimal.parse(text, at + 1, text.length(), MAX_OFFSET);
        return partition == Decimal.NONE || offset == Decimal.NONE
                ? Optional.empty()
                : Optional.of(new InputPosition(text.substring(0, dash), (int) partition, offset));
    }

    /** Returns the partition that holds the record. */
    public InputPartition inputPartition() {
        return new InputPartition(topic, partition);
    }

    @Override
    public String toString() {
        return topic + '-' + partition + '@' + offset;
    }
}
