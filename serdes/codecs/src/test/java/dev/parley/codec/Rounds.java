package dev.parley.codec;

/** Number of rounds of random tests. {@code -Dparley.rounds=N} reduces it to N percent, for mutation testing. */
public final class Rounds {
    private Rounds() {}

    /** That number of rounds, or the requested share of it, at least one. */
    public static int of(int rounds) {
        return Math.max(1, (int) (rounds * Long.getLong("parley.rounds", 100) / 100));
    }
}
