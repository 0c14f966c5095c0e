package dev.parley.server.tail;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;

/**
 * How far a reader has come in every partition of the audit topic. Its text is the ID of an event: opaque, and bounded
 * by the number of partitions. A reader can write any text, so {@link TailSource} checks a position against the topic.
 *
 * @param topicId identity of the topic: offsets of a topic that was created again mean other records
 * @param offsets offset of the next record of each partition, from partition 0 on
 */
public record TailPosition(Uuid topicId, List<Long> offsets) {

    /** Maximum number of partitions. */
    public static final int MAX_PARTITIONS = 1_000;

    private static final int RADIX = Character.MAX_RADIX;
    private static final int MAX_OFFSET_CHARACTERS =
            Long.toString(Long.MAX_VALUE, RADIX).length();
    private static final int MAX_CHARACTERS = 24 + MAX_PARTITIONS * (1 + MAX_OFFSET_CHARACTERS);

    /** Copies the offsets. */
    public TailPosition {
        offsets = List.copyOf(offsets);
    }

    /** Parses the form that {@link #text} returns; empty for any other text. */
    public static Optional<TailPosition> parse(String text) {
        if (text.length() > MAX_CHARACTERS) {
            return Optional.empty();
        }
        String[] parts = text.split("\\.", -1);
        try {
            List<Long> offsets = Arrays.stream(parts)
                    .skip(1)
                    .map(offset -> Long.valueOf(offset, RADIX))
                    .toList();
            TailPosition position = new TailPosition(Uuid.fromString(parts[0]), offsets);
            // One text for each position: no padding, no leading zeros.
            return !offsets.isEmpty()
                            && offsets.size() <= MAX_PARTITIONS
                            && offsets.stream().allMatch(offset -> offset >= 0)
                            && position.text().equals(text)
                    ? Optional.of(position)
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** The ID of an event. */
    public String text() {
        return topicId
                + offsets.stream()
                        .map(offset -> "." + Long.toString(offset, RADIX))
                        .collect(Collectors.joining());
    }
}
