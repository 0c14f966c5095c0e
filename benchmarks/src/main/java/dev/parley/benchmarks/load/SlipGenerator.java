package dev.parley.benchmarks.load;

import java.util.random.RandomGenerator;

/**
 * Generates consecutive tasks of a SLIP conversation: requested, proposed, accepted, committed, reported, evaluated.
 */
final class SlipGenerator extends ConversationGenerator {
    private static final String DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int EVALUATED = 6;

    /** Act and frame from one state to the next: REQUEST, PROPOSE, ACCEPT, COMMIT, INFORM, EVAL. */
    private static final String[] STEPS = {"a3|f0", "a4|f1", "a6|f0", "a5|f0", "a1|f2", "a8|f3"};

    /** Illegal acts by state, with their codes; after a proposal every act is legal. */
    private static final String[][] ILLEGAL = {
        {"a6|f0", "SLIP_NOTHING_TO_ACCEPT"},
        {"a3|f0", "SLIP_DUPLICATE_REQUEST"},
        null,
        {"a6|f0", "SLIP_DUPLICATE_ACCEPT"},
        {"a5|f0", "SLIP_DUPLICATE_COMMIT"},
        {"a5|f0", "SLIP_DUPLICATE_COMMIT"},
        {"a5|f0", "SLIP_NOTHING_TO_COMMIT"},
    };

    private final long number;
    private int state;
    private long task = 1;
    private long turn;
    private String accepted;

    SlipGenerator(RandomGenerator random, long number) {
        super(random, 24);
        this.number = number;
    }

    @Override
    String conversation() {
        return Long.toString(number);
    }

    @Override
    String topic() {
        return "parley.wire.slip";
    }

    @Override
    boolean atRest() {
        return state == EVALUATED;
    }

    @Override
    Line right() {
        if (random().nextInt(4) == 0) {
            return accepted(message("a" + (random().nextBoolean() ? 0 : 2) + "|f2", ++turn));
        }
        if (state == EVALUATED) {
            state = 0;
            task++;
        }
        return accepted(message(STEPS[state++], ++turn));
    }

    private Line accepted(String wire) {
        accepted = wire;
        return new Line(wire, ExpectedOutcome.ACCEPTED);
    }

    @Override
    Line wrong(int kind) {
        return switch (kind % 6) {
            case 0 ->
                new Line(
                        "@a3|f0|c" + base62(number) + "|S0|d1|T9|t\"open#",
                        ExpectedOutcome.undecodable("SLIP_BAD_STRING"));
            case 1 ->
                new Line("@a3|f9|c" + base62(number) + "|S0|d1|T9#", ExpectedOutcome.undecodable("SLIP_UNKNOWN_FRAME"));
            case 2 ->
                turn == 0 ? right() : new Line(message("a2|f0", turn), ExpectedOutcome.rejected("SLIP_TURN_REUSED"));
            case 3 ->
                turn < 2
                        ? right()
                        : new Line(message("a2|f0", turn - 1), ExpectedOutcome.rejected("SLIP_TURN_REGRESSION"));
            case 4 -> accepted == null ? right() : new Line(accepted, ExpectedOutcome.ACCEPTED);
            default -> illegal();
        };
    }

    /** An illegal message. It still uses its turn, so the previous message cannot be repeated. */
    private Line illegal() {
        String[] act = ILLEGAL[state];
        if (act == null) {
            return right();
        }
        accepted = null;
        return new Line(message(act[0], ++turn), ExpectedOutcome.rejected(act[1]));
    }

    private String message(String act, long at) {
        return "@" + act + "|c" + base62(number) + "|S0|d1|T" + base62(at) + "|k" + base62(task) + "|t\"" + word(1, 40)
                + "\"#";
    }

    private static String base62(long value) {
        StringBuilder digits = new StringBuilder();
        for (long rest = value; rest > 0 || digits.isEmpty(); rest /= DIGITS.length()) {
            digits.insert(0, DIGITS.charAt((int) (rest % DIGITS.length())));
        }
        return digits.toString();
    }
}
