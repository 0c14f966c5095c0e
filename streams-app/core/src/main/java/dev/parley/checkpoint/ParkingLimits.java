package dev.parley.checkpoint;

/**
 * Upper bounds of all parked patches, in addition to the bound per base. Bytes are those of the input records: key,
 * value, and headers.
 *
 * @param contextPatches maximum number of parked patches of one context
 * @param contextBytes maximum bytes of the parked patches of one context
 * @param taskPatches maximum number of parked patches of one task
 * @param taskBytes maximum bytes of the parked patches of one task
 */
public record ParkingLimits(int contextPatches, long contextBytes, int taskPatches, long taskBytes) {
    /** 10,000 patches and 16 MiB per context; 100,000 patches and 256 MiB per task. */
    public static final ParkingLimits DEFAULT = new ParkingLimits(10_000, 16L << 20, 100_000, 256L << 20);

    /** Checks that no bound is negative. */
    public ParkingLimits {
        if (contextPatches < 0 || contextBytes < 0 || taskPatches < 0 || taskBytes < 0) {
            throw new IllegalArgumentException("parking limits must not be negative");
        }
    }
}
