package dev.parley.load;

import java.util.random.RandomGenerator;

/** Generates consecutive dialogues of a SUBIT session: a state, an intent and its action, or a plan, and a trace. */
final class SubitGenerator extends ConversationGenerator {
    /** State of the session. */
    private enum At {
        START("ACTION", "SUBIT_NO_INITIAL_STATE"),
        STATE("ACTION", "SUBIT_ACTION_WITHOUT_INTENT"),
        INTENT("STATE", "SUBIT_STATE_AFTER_INTENT"),
        ACTION("INTENT", "SUBIT_INTENT_AFTER_ACTION"),
        PLAN("INTENT", "SUBIT_INTENT_AFTER_PLAN"),
        TRACE("PLAN", "SUBIT_PLAN_AFTER_TRACE");

        private final String illegal;
        private final String code;

        At(String illegal, String code) {
            this.illegal = illegal;
            this.code = code;
        }
    }

    private At at = At.START;

    SubitGenerator(RandomGenerator random, long number) {
        super(random, "parley.wire.subit", "session-" + number, 16);
    }

    @Override
    boolean mayEnd() {
        return at == At.TRACE;
    }

    @Override
    Line legal() {
        at = switch (at) {
            case START, TRACE -> At.STATE;
            case STATE -> random().nextBoolean() ? At.INTENT : At.PLAN;
            case INTENT -> At.ACTION;
            case ACTION, PLAN -> At.TRACE;
        };
        return accepted(message(at.name()));
    }

    @Override
    Line illegal(int kind) {
        return switch (kind % 4) {
            case 0 -> undecodable("SUBIT_STATE_LENGTH", message("STATE", bits(2)));
            case 1 -> undecodable("SUBIT_PLAN_TOO_SHORT", message("PLAN", bits(2)));
            default -> rejected(at.code, message(at.illegal));
        };
    }

    private String message(String type) {
        return message(type, bits(type.equals("STATE") ? 1 : type.equals("PLAN") || type.equals("TRACE") ? 3 : 2));
    }

    private String message(String type, String payload) {
        return "{\"type\":\"" + type + "\",\"payload\":\"" + payload + "\",\"meta\":{\"session\":\"" + conversation()
                + "\",\"note\":\"" + word(1, 60) + "\"}}";
    }

    private String bits(int forms) {
        StringBuilder bits = new StringBuilder();
        for (int i = 0; i < 6 * forms; i++) {
            bits.append(random().nextInt(2));
        }
        return bits.toString();
    }
}
