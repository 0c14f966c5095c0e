package dev.parley.codec.slip;

import dev.parley.avro.SlipMessage;

/**
 * The fields that SLIP v0.1 defines (§2, §3), in the order of the record: the six header fields in canonical order,
 * then the nine slots.
 */
public enum SlipField {
    ACT('a'),
    FRAME('f'),
    CONVERSATION('c'),
    SOURCE('S'),
    DESTINATION('d'),
    TURN('T'),
    GOAL_ID('g'),
    TASK_ID('k'),
    PARENT_TASK_ID('p'),
    RESULT_ID('r'),
    PRIORITY('q'),
    SCORE('s'),
    ERROR_CODE('e'),
    STATUS('u'),
    TAG('t');

    /** Bits of the six header fields. */
    static final int HEADER_BITS = (1 << (TURN.ordinal() + 1)) - 1;

    private static final SlipField[] VALUES = values();
    private static final SlipField[] BY_PREFIX = new SlipField[128];

    static {
        for (SlipField field : VALUES) {
            BY_PREFIX[field.prefix] = field;
        }
    }

    private final char prefix;

    SlipField(char prefix) {
        this.prefix = prefix;
    }

    /** The field with that prefix; null if v0.1 defines none. */
    public static SlipField of(int prefix) {
        return prefix >= 0 && prefix < BY_PREFIX.length ? BY_PREFIX[prefix] : null;
    }

    /** The first field with a set bit, in canonical order. */
    static SlipField first(int bits) {
        return VALUES[Integer.numberOfTrailingZeros(bits)];
    }

    /** The value in a message; null if the slot is absent. */
    Object get(SlipMessage message) {
        return message.get(ordinal());
    }

    void set(SlipMessage message, Object value) {
        message.put(ordinal(), value);
    }

    /** Bits of the slots with a value in a message. */
    static int present(SlipMessage message) {
        int present = 0;
        for (SlipField field : VALUES) {
            present |= field.isHeader() || field.get(message) == null ? 0 : field.bit();
        }
        return present;
    }

    /** The character before the value on the wire. */
    public char prefix() {
        return prefix;
    }

    int bit() {
        return 1 << ordinal();
    }

    /** Whether the field is required. */
    boolean isHeader() {
        return ordinal() <= TURN.ordinal();
    }

    /** Whether the value identifies a conversation, an agent, a goal, a task or a result. */
    boolean isId() {
        return switch (this) {
            case CONVERSATION, SOURCE, DESTINATION, GOAL_ID, TASK_ID, PARENT_TASK_ID, RESULT_ID -> true;
            case ACT, FRAME, TURN, PRIORITY, SCORE, ERROR_CODE, STATUS, TAG -> false;
        };
    }

    /** Whether the value is a string; else it is a base62 number. */
    public boolean isString() {
        return this == STATUS || this == TAG;
    }
}
