package dev.parley.server.tail;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.ByteUtils;

/**
 * How far a reader has come in every partition of the audit topic. Its text is the ID of an event: opaque, and bounded
 * by the number of partitions. A reader can write any text, so {@link TailSource} checks a position against the topic.
 *
 * @param topicId identity of the topic: offsets of a topic that was created again mean other records
 * @param offsets offset of the next record of each partition, from partition 0 on
 */
public record TailPosition(Uuid topicId, long[] offsets) {

    /** Maximum number of partitions. */
    public static final int MAX_PARTITIONS = 1_000;

    private static final byte VERSION = 1;
    private static final int FIXED_BYTES = 1 + 2 * Long.BYTES + Short.BYTES;
    private static final int MAX_OFFSET_BYTES = 10;
    private static final int MAX_CHARACTERS = (FIXED_BYTES + MAX_PARTITIONS * MAX_OFFSET_BYTES) * 4 / 3 + 4;

    /** Copies the offsets. */
    public TailPosition {
        offsets = offsets.clone();
    }

    @Override
    public long[] offsets() {
        return offsets.clone();
    }

    /** Parses the form that {@link #text} returns; empty for any other text. */
    public static Optional<TailPosition> parse(String text) {
        if (text.length() > MAX_CHARACTERS) {
            return Optional.empty();
        }
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
            if (bytes.get() != VERSION) {
                return Optional.empty();
            }
            Uuid topicId = new Uuid(bytes.getLong(), bytes.getLong());
            int partitions = bytes.getShort();
            if (partitions < 1 || partitions > MAX_PARTITIONS) {
                return Optional.empty();
            }
            long[] offsets = new long[partitions];
            for (int i = 0; i < partitions; i++) {
                offsets[i] = ByteUtils.readVarlong(bytes);
                if (offsets[i] < 0) {
                    return Optional.empty();
                }
            }
            TailPosition position = new TailPosition(topicId, offsets);
            // One text for each position: no padding, no leading zeros, nothing behind it.
            return position.text().equals(text) ? Optional.of(position) : Optional.empty();
        } catch (IllegalArgumentException | BufferUnderflowException e) {
            return Optional.empty();
        }
    }

    /** The ID of an event. */
    public String text() {
        ByteBuffer bytes = ByteBuffer.allocate(FIXED_BYTES + offsets.length * MAX_OFFSET_BYTES)
                .put(VERSION)
                .putLong(topicId.getMostSignificantBits())
                .putLong(topicId.getLeastSignificantBits())
                .putShort((short) offsets.length);
        for (long offset : offsets) {
            ByteUtils.writeVarlong(offset, bytes);
        }
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(bytes.array(), bytes.position()));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TailPosition position
                && position.topicId.equals(topicId)
                && Arrays.equals(position.offsets, offsets);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(offsets);
    }

    @Override
    public String toString() {
        return text();
    }
}
