package dev.parley.cli.verify;

import dev.parley.audit.InputPartition;
import dev.parley.audit.InputPosition;
import dev.parley.encoding.Sha256;
import dev.parley.log.InputOffsets;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Compares payloads and times of audit records with those of inputs in any order, with 24 bytes for each block of
 * {@value #BLOCK} offsets. Both sides add a keyed hash of offset and payload hash by exclusive or. One side adds the
 * product of such a hash and the time, and the other one subtracts it. A block of equal payloads and times therefore
 * becomes zero. The key is random for each verification, so an author of records cannot aim at a collision.
 */
final class InputContents {
    /** Offsets in a block. */
    static final long BLOCK = 4_096;

    /**
     * A block of offsets.
     *
     * @param number number of the block in its partition, from 0
     */
    record Block(InputPartition input, long number) {
        /** The block of an offset. */
        static Block of(InputPosition position) {
            return new Block(position.inputPartition(), position.offset() / BLOCK);
        }

        /** Its first offset. */
        long first() {
            return number * BLOCK;
        }
    }

    private final byte[] key = new byte[Sha256.BYTES];
    private final MessageDigest sha256 = Sha256.digest();
    private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES);
    private final Map<InputPartition, Map<Long, Sum>> sums = new HashMap<>();

    /** The sum of a block. */
    private static final class Sum {
        private long high;
        private long low;
        private long times;
        private boolean hasProducerTime;
    }

    InputContents() {
        new SecureRandom().nextBytes(key);
    }

    /**
     * Adds a payload of either side, and its time, which one of the sides negates; twice the same one is as none.
     *
     * @param isComparable whether the broker set the time; otherwise, no time of the block is compared
     */
    void add(InputPosition position, byte[] payloadHash, long time, boolean isComparable) {
        if (!InputOffsets.isPossible(position.offset())) {
            return;
        }
        sha256.update(key);
        sha256.update(number.clear().putLong(position.offset()).array());
        ByteBuffer hash = ByteBuffer.wrap(sha256.digest(payloadHash));
        Sum sum = sums.computeIfAbsent(position.inputPartition(), partition -> new TreeMap<>())
                .computeIfAbsent(position.offset() / BLOCK, block -> new Sum());
        sum.high ^= hash.getLong();
        sum.low ^= hash.getLong();
        sum.times += hash.getLong() * time;
        sum.hasProducerTime |= !isComparable;
    }

    /** The blocks in which the sides differ. */
    List<Block> different() {
        List<Block> different = new ArrayList<>();
        sums.forEach((input, blocks) -> blocks.forEach((number, sum) -> {
            if (sum.high != 0 || sum.low != 0 || sum.times != 0 && !sum.hasProducerTime) {
                different.add(new Block(input, number));
            }
        }));
        return different;
    }
}
