package dev.parley.benchmarks.load;

import java.util.Map;
import java.util.random.RandomGenerator;

/** A conversation of agents, line by line, who now and then do what they must not. Keeps just what it needs to know the fate of its next line. */
abstract class Talk {
    /** One line in so many is wrong. */
    private static final int WRONG = 8;

    private final RandomGenerator random;
    private int linesLeft;

    /**
     * A talk.
     *
     * @param random where its choices come from
     * @param lines how many lines it has at least, before it ends where it may
     */
    Talk(RandomGenerator random, int lines) {
        this.random = random;
        this.linesLeft = lines;
    }

    /**
     * What an agent says.
     *
     * @param value the bytes of the message, as text
     * @param headers what Parley needs to know beside it
     * @param fate what must become of it
     */
    record Line(String value, Map<String, String> headers, Fate fate) {
        Line(String value, Fate fate) {
            this(value, Map.of(), fate);
        }
    }

    /** The name of the conversation, which is the key of its records. */
    abstract String conversation();

    /** The input topic of its protocol alone. */
    abstract String topic();

    /** The next line as the protocol wants it. */
    abstract Line right();

    /** A line against the protocol, of one kind or another. */
    abstract Line wrong(int kind);

    /** Whether it could end here. */
    abstract boolean atRest();

    final Line next() {
        linesLeft--;
        return random.nextInt(WRONG) == 0 ? wrong(random.nextInt(1 << 16)) : right();
    }

    final boolean over() {
        return linesLeft <= 0 && atRest();
    }

    final RandomGenerator random() {
        return random;
    }

    /** A word of so many letters. */
    final String word(int least, int most) {
        int length = random.nextInt(least, most + 1);
        StringBuilder word = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            word.append((char) ('a' + random.nextInt(26)));
        }
        return word.toString();
    }
}
