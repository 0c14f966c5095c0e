package dev.parley.checkpoint;

/**
 * How patches are applied.
 *
 * @param branching what becomes of a patch whose base has another child already
 * @param parkingLimit most patches that wait for one base; the next is rejected at once
 * @param parkingMillis how many milliseconds of record time a patch waits for its base
 * @param stateBytes most bytes of names and values in one state: a snapshot is one record
 * @param heads the memory for the states that are kept, of all readers with these settings together; the state in use
 *     is kept whatever its size
 * @param retentionMillis how many milliseconds of record time a checkpoint is kept after it was superseded; -1 for ever
 * @param parkingTotal upper bounds of all parked patches of a context and of a task
 */
public record CheckpointSettings(
        Branching branching,
        int parkingLimit,
        long parkingMillis,
        long stateBytes,
        StateCacheBudget heads,
        long retentionMillis,
        ParkingLimits parkingTotal) {

    /** Memory for the states that are kept, in bytes, where nothing else is said. */
    public static final long CACHE_BYTES = 64L << 20;

    /**
     * Forks are applied with a warning; 100 patches for a base; one hour; states of 8 MiB; 64 MiB in memory; nothing is
     * pruned.
     */
    public static final CheckpointSettings DEFAULT =
            new CheckpointSettings(Branching.WARN, 100, 3_600_000L, 8L << 20, CACHE_BYTES);

    /** What becomes of a patch whose base has another child already (csp.branching). */
    public enum Branching {
        /** It is applied, with the warning CSP_FORK. */
        WARN,
        /** It is rejected with the violation CSP_FORK. */
        REJECT
    }

    /** Checks that the bounds are not negative and the time is positive. */
    public CheckpointSettings {
        if (parkingLimit < 0 || parkingMillis < 1 || stateBytes < 0 || retentionMillis < -1) {
            throw new IllegalArgumentException("bounds are not negative, and the parking time is positive");
        }
    }

    /** Settings with memory of their own for so many bytes. */
    public CheckpointSettings(
            Branching branching,
            int parkingLimit,
            long parkingMillis,
            long stateBytes,
            long cacheBytes,
            long retentionMillis) {
        this(
                branching,
                parkingLimit,
                parkingMillis,
                stateBytes,
                new StateCacheBudget(cacheBytes),
                retentionMillis,
                ParkingLimits.DEFAULT);
    }

    /** Settings by which nothing is pruned. */
    public CheckpointSettings(
            Branching branching, int parkingLimit, long parkingMillis, long stateBytes, long cacheBytes) {
        this(branching, parkingLimit, parkingMillis, stateBytes, cacheBytes, -1L);
    }

    /** Whether checkpoints are pruned. */
    boolean prunes() {
        return retentionMillis >= 0;
    }
}
