package dev.parley.benchmarks.load;

import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Generates a conversation line by line, with an occasional illegal line. Keeps only what determines the outcome of its
 * next line.
 */
abstract class ConversationGenerator {
    /** One line in this many is illegal. */
    private static final int WRONG = 8;

    private final RandomGenerator random;
    private int linesLeft;

    /**
     * Creates a conversation.
     *
     * @param random source of its choices
     * @param lines minimum number of lines before it ends
     */
    ConversationGenerator(RandomGenerator random, int lines) {
        this.random = random;
        this.linesLeft = lines;
    }

    /**
     * A message of an agent.
     *
     * @param value the bytes of the message, as text
     * @param headers headers that Parley needs with it
     * @param fate its expected outcome
     */
    record Line(String value, Map<String, String> headers, ExpectedOutcome fate) {
        Line(String value, ExpectedOutcome fate) {
            this(value, Map.of(), fate);
        }
    }

    /** The conversation ID, which is the key of its records. */
    abstract String conversation();

    /** The input topic of its protocol. */
    abstract String topic();

    /** The next legal line. */
    abstract Line right();

    /** An illegal line of one of several kinds. */
    abstract Line wrong(int kind);

    /** Whether it may end in its current state. */
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

    /** A word of that many letters. */
    final String word(int least, int most) {
        int length = random.nextInt(least, most + 1);
        StringBuilder word = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            word.append((char) ('a' + random.nextInt(26)));
        }
        return word.toString();
    }
}
