package dev.parley.codec;

/** How long random tests play: {@code -Dparley.rounds=N} gives them N percent of their rounds; mutation testing plays few, for each mutant anew. */
public final class Rounds {
    private Rounds() {}

    /** So many rounds, or the share of them that was asked for, at least one. */
    public static int of(int rounds) {
        return Math.max(1, (int) (rounds * Long.getLong("parley.rounds", 100) / 100));
    }
}
