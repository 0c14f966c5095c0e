package dev.parley.load;

import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Generates a conversation line by line, with an occasional illegal line. Keeps only what determines the outcome of its
 * next line.
 */
abstract class ConversationGenerator {
    /** One line in this many is illegal. */
    private static final int ILLEGAL_INTERVAL = 8;

    private final RandomGenerator random;
    private final String topic;
    private final String conversation;
    private int linesLeft;

    /**
     * Creates a conversation.
     *
     * @param random source of its choices
     * @param topic input topic of its protocol
     * @param conversation its ID, which is the key of its records
     * @param lines minimum number of lines before it ends
     */
    ConversationGenerator(RandomGenerator random, String topic, String conversation, int lines) {
        this.random = random;
        this.topic = topic;
        this.conversation = conversation;
        this.linesLeft = lines;
    }

    /**
     * A message of an agent.
     *
     * @param value the bytes of the message, as text; null for a tombstone
     * @param headers headers that Parley needs with it
     * @param expected its expected outcome
     * @param awaitsBase whether it is a patch sent before its base, which is parked
     */
    record Line(String value, Map<String, String> headers, ExpectedOutcome expected, boolean awaitsBase) {
        Line(String value, ExpectedOutcome expected) {
            this(value, Map.of(), expected, false);
        }

        Line awaitingBase() {
            return new Line(value, headers, expected, true);
        }
    }

    static Line accepted(String value) {
        return new Line(value, ExpectedOutcome.ACCEPTED);
    }

    static Line rejected(String code, String value) {
        return new Line(value, ExpectedOutcome.rejected(code));
    }

    static Line undecodable(String code, String value) {
        return new Line(value, ExpectedOutcome.undecodable(code));
    }

    /** The next legal line. */
    abstract Line legal();

    /** An illegal line of one of several kinds. */
    abstract Line illegal(int kind);

    /** Whether it may end in its current state. */
    abstract boolean mayEnd();

    final Line next() {
        linesLeft--;
        return random.nextInt(ILLEGAL_INTERVAL) == 0 ? illegal(random.nextInt(1 << 16)) : legal();
    }

    final boolean over() {
        return linesLeft <= 0 && mayEnd();
    }

    final String topic() {
        return topic;
    }

    final String conversation() {
        return conversation;
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
