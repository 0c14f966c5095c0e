package dev.parley.load;

import java.util.Map;
import java.util.random.RandomGenerator;

/** Generates a Λ conversation of two agents: questions with answers, and commands with results. */
final class LambdaGenerator extends ConversationGenerator {
    /**
     * Speaker and message of each step: a question, its answer, agreement; a command, its acknowledgment, its result,
     * agreement.
     */
    private static final String[][] STEPS = {
        {"A1", "?Uc/"}, {"A2", "!Ic/"}, {"A1", "<+"}, {"A1", ".Rn/"}, {"A2", "<"}, {"A2", "!rs/"}, {"A1", "<+"}
    };

    private int step;

    LambdaGenerator(RandomGenerator random, long number) {
        super(random, "parley.wire.lambda", "conversation-" + number, 18);
    }

    @Override
    boolean mayEnd() {
        return step == 0;
    }

    @Override
    Line legal() {
        String[] next = STEPS[step];
        step = (step + 1) % STEPS.length;
        return line(
                next[0],
                next[1].endsWith("/") ? next[1] + word(2, 2) + "{no:\"" + word(1, 50) + "\"}" : next[1],
                ExpectedOutcome.ACCEPTED);
    }

    @Override
    Line illegal(int kind) {
        return switch (kind % 3) {
            case 0 -> line("A1", "!Ik/" + word(2, 30) + "{", ExpectedOutcome.undecodable("LAMBDA_UNBALANCED"));
            case 1 ->
                line("A2", "!Ik/co[n" + (20 + random().nextInt(70)) + "]", ExpectedOutcome.rejected("LAMBDA_CHECKSUM"));
            default -> illegalStep();
        };
    }

    private Line illegalStep() {
        return switch (step) {
            case 0, 3 -> line("A2", "<+", ExpectedOutcome.rejected("LAMBDA_ACK_WITHOUT_ANTECEDENT"));
            case 1, 4 -> line("A1", "<+", ExpectedOutcome.rejected("LAMBDA_SELF_ACK"));
            case 2, 6 -> line("A2", "<+", ExpectedOutcome.rejected("LAMBDA_SELF_ACK"));
            default -> line("A2", "<-", ExpectedOutcome.rejected("LAMBDA_DISAGREE_AFTER_ACK"));
        };
    }

    private static Line line(String sender, String wire, ExpectedOutcome outcome) {
        return new Line(wire, Map.of("parley-sender", sender), outcome, false);
    }
}
