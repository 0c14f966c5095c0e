package dev.parley.checkpoint;

import dev.parley.checkpoint.CheckpointSettings.Branching;

/** Checkpoint settings with a cache of their own and the default parking limits. */
public final class TestCheckpointSettings {
    private TestCheckpointSettings() {}

    /** Settings without pruning. */
    public static CheckpointSettings of(
            Branching branching, int parkingLimit, long parkingMillis, long stateBytes, long cacheBytes) {
        return of(branching, parkingLimit, parkingMillis, stateBytes, cacheBytes, -1L);
    }

    public static CheckpointSettings of(
            Branching branching,
            int parkingLimit,
            long parkingMillis,
            long stateBytes,
            long cacheBytes,
            long retentionMillis) {
        return new CheckpointSettings(
                branching,
                parkingLimit,
                parkingMillis,
                stateBytes,
                new StateCacheBudget(cacheBytes),
                retentionMillis,
                ParkingLimits.DEFAULT);
    }
}
