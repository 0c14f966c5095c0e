package dev.parley.codec.slip;

import dev.parley.avro.SlipAct;
import dev.parley.avro.SlipFrame;
import dev.parley.avro.SlipMessage;
import java.util.Arrays;

/** The meaning of the numbers in a message (SLIP v0.1 §2). */
final class SlipNumbers {

    /** Acts by wire code; the schema has UNKNOWN before them. */
    private static final SlipAct[] ACTS = Arrays.copyOfRange(SlipAct.values(), 1, SlipAct.values().length);

    private static final SlipFrame[] FRAMES = Arrays.copyOfRange(SlipFrame.values(), 1, SlipFrame.values().length);

    private SlipNumbers() {}

    /** Whether the specification defines this number for this field. No other act or frame exists. */
    static boolean isSpecified(SlipField field, long number) {
        return switch (field) {
            case ACT -> number < ACTS.length;
            case FRAME -> number < FRAMES.length;
            case PRIORITY -> number >= 1 && number <= 3;
            case SCORE -> number <= 10;
            default -> true;
        };
    }

    /** The act with a defined number. */
    static SlipAct act(long number) {
        return ACTS[(int) number];
    }

    /** The frame type with a defined number. */
    static SlipFrame frame(long number) {
        return FRAMES[(int) number];
    }

    /** Sets a numeric field; an act or a frame must be defined. */
    static void set(SlipMessage message, SlipField field, long number) {
        switch (field) {
            case ACT -> message.setAct(act(number));
            case FRAME -> message.setFrame(frame(number));
            default -> field.set(message, number);
        }
    }
}
