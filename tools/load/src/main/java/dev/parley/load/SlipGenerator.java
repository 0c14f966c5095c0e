package dev.parley.load;

import dev.parley.codec.slip.SlipCodec;
import java.util.random.RandomGenerator;

/**
 * Generates consecutive tasks of a SLIP conversation: requested, proposed, accepted, committed, reported, evaluated.
 */
final class SlipGenerator extends ConversationGenerator {
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
    private String last;

    SlipGenerator(RandomGenerator random, long number) {
        super(random, "parley.wire.slip", Long.toString(number), 24);
        this.number = number;
    }

    @Override
    boolean mayEnd() {
        return state == EVALUATED;
    }

    @Override
    Line legal() {
        if (random().nextInt(4) == 0) {
            return legal(message("a" + (random().nextBoolean() ? 0 : 2) + "|f2", ++turn));
        }
        if (state == EVALUATED) {
            state = 0;
            task++;
        }
        return legal(message(STEPS[state++], ++turn));
    }

    private Line legal(String wire) {
        last = wire;
        return accepted(wire);
    }

    @Override
    Line illegal(int kind) {
        return switch (kind % 6) {
            case 0 -> undecodable("SLIP_BAD_STRING", "@a3|f0|c" + SlipCodec.digits(number) + "|S0|d1|T9|t\"open#");
            case 1 -> undecodable("SLIP_UNKNOWN_FRAME", "@a3|f9|c" + SlipCodec.digits(number) + "|S0|d1|T9#");
            case 2 -> turn == 0 ? legal() : rejected("SLIP_TURN_REUSED", message("a2|f0", turn));
            case 3 -> turn < 2 ? legal() : rejected("SLIP_TURN_REGRESSION", message("a2|f0", turn - 1));
            case 4 -> last == null ? legal() : accepted(last);
            default -> illegalStep();
        };
    }

    /** An illegal message. It still uses its turn, so the previous message cannot be repeated. */
    private Line illegalStep() {
        String[] act = ILLEGAL[state];
        if (act == null) {
            return legal();
        }
        last = null;
        return rejected(act[1], message(act[0], ++turn));
    }

    /** A message between agent 0, which requests and decides, and agent 1, which proposes, commits and informs. */
    private String message(String act, long at) {
        boolean works = act.startsWith("a4") || act.startsWith("a5") || act.startsWith("a1");
        return "@" + act + "|c" + SlipCodec.digits(number) + (works ? "|S1|d0|T" : "|S0|d1|T") + SlipCodec.digits(at)
                + "|k" + SlipCodec.digits(task) + "|t\"" + word(1, 40) + "\"#";
    }
}
