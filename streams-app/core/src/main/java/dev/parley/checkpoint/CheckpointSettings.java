package dev.parley.checkpoint;

/**
 * Settings for applying patches.
 *
 * @param branching handling of a patch whose base already has a child
 * @param parkingLimit maximum number of patches parked for one base; further patches are rejected
 * @param parkingMillis maximum parking time in record time, in milliseconds
 * @param stateBytes maximum bytes of names and values in one state, because a snapshot is one record
 * @param stateCache memory for cached states, shared by all readers with these settings; the state in use is cached
 *     whatever its size
 * @param retentionMillis retention of superseded checkpoints in record time, in milliseconds; -1 keeps them permanently
 * @param parkingTotal bounds of all parked patches of a context and of a task
 */
public record CheckpointSettings(
        Branching branching,
        int parkingLimit,
        long parkingMillis,
        long stateBytes,
        StateCacheBudget stateCache,
        long retentionMillis,
        ParkingLimits parkingTotal) {

    /** Default memory for cached states, in bytes. */
    public static final long CACHE_BYTES = 64L << 20;

    /** Forks with a warning, 100 patches per base, one hour, states of 8 MiB, 64 MiB of cache, no pruning. */
    public static final CheckpointSettings DEFAULT = new CheckpointSettings(
            Branching.WARN, 100, 3_600_000L, 8L << 20, new StateCacheBudget(CACHE_BYTES), -1L, ParkingLimits.DEFAULT);

    /** Handling of a patch whose base already has a child (csp.branching). */
    public enum Branching {
        /** Applied with the warning CSP_FORK. */
        WARN,
        /** Rejected with the violation CSP_FORK. */
        REJECT
    }

    /** Requires valid bounds. */
    public CheckpointSettings {
        if (parkingLimit < 0 || parkingMillis < 1 || stateBytes < 0 || retentionMillis < -1) {
            throw new IllegalArgumentException("bounds must not be negative, and parkingMillis must be positive");
        }
    }

    /** Whether superseded checkpoints lose their content. */
    public boolean prunes() {
        return retentionMillis >= 0;
    }

    /** Returns the same settings without pruning. */
    public CheckpointSettings withoutRetention() {
        return new CheckpointSettings(branching, parkingLimit, parkingMillis, stateBytes, stateCache, -1, parkingTotal);
    }
}
