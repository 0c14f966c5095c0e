package dev.parley.codec.slip;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.parley.avro.SlipMessage;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeResult.Decoded;
import java.util.List;

/**
 * Fast path for almost all messages: canonical, ASCII, without errors, and without warnings except SLIP_RANGE. It
 * returns null for any other message, which {@link SlipReader} then decodes from its start, so this class reports no
 * error.
 */
final class PlainSlipReader {

    /** Maximum number of slots of a plain message, so that their prefixes fit into a long. */
    static final int MAX_SLOTS = 8;

    private static final int MAX_NUMBER_DIGITS = 10;

    /** Result of {@link #number} if the field is not plain. */
    private static final long NOT_PLAIN = -1;

    private static final List<Code> OUT_OF_RANGE = List.of(Code.SLIP_RANGE);

    private final byte[] wire;
    private final SlipMessage message = new SlipMessage();
    private int at = 1;

    private PlainSlipReader(byte[] wire) {
        this.wire = wire;
    }

    /** The message with its warnings; null if it is not plain. */
    static Decoded<SlipMessage> read(byte[] wire) {
        int last = wire.length - 1;
        if (last < 1 || wire[0] != '@' || wire[last] != '#') {
            return null;
        }
        PlainSlipReader reader = new PlainSlipReader(wire);
        return reader.headers() && reader.slots(last)
                ? new Decoded<>(reader.message, warnings(reader.message), List.of(), true)
                : null;
    }

    private boolean headers() {
        long act = header('a');
        long frame = header('f');
        long conversation = header('c');
        long source = header('S');
        long destination = header('d');
        long turn = header('T');
        if ((act | frame | conversation | source | destination | turn) < 0
                || !SlipNumbers.isSpecified(SlipField.ACT, act)
                || !SlipNumbers.isSpecified(SlipField.FRAME, frame)) {
            return false;
        }
        message.setAct(SlipNumbers.act(act));
        message.setFrame(SlipNumbers.frame(frame));
        message.setConversation(conversation);
        message.setSource(source);
        message.setDestination(destination);
        message.setTurn(turn);
        return true;
    }

    private long header(char prefix) {
        return wire[at] == prefix ? number() : NOT_PLAIN;
    }

    /** Reads slots up to the end mark, each after a separator. */
    private boolean slots(int last) {
        int seen = 0;
        long prefixes = 0;
        while (at < last) {
            SlipField field = SlipField.of(wire[at]);
            boolean full = prefixes >>> (Byte.SIZE * (MAX_SLOTS - 1)) != 0;
            if (field == null || field.isHeader() || (seen & field.bit()) != 0 || full || !slot(field)) {
                return false;
            }
            seen |= field.bit();
            prefixes = prefixes << Byte.SIZE | field.prefix();
        }
        message.setSlotOrder(SlotOrders.of(prefixes));
        message.setUnknownFields(List.of());
        return wire[last - 1] != '|';
    }

    private boolean slot(SlipField field) {
        if (field.isString()) {
            return string(field);
        }
        long number = number();
        if (number < 0) {
            return false;
        }
        field.set(message, number);
        return true;
    }

    private static List<Code> warnings(SlipMessage message) {
        return inRange(SlipField.PRIORITY, message.getPriority()) && inRange(SlipField.SCORE, message.getScore())
                ? List.of()
                : OUT_OF_RANGE;
    }

    private static boolean inRange(SlipField field, Long number) {
        return number == null || SlipNumbers.isSpecified(field, number);
    }

    /**
     * Reads the number of the field that starts here, and moves to the next field. The end mark at the end of the wire
     * stops it.
     */
    private long number() {
        int from = at + 1;
        long number = Base62.digit(wire[from]);
        if (number < 0) {
            return NOT_PLAIN;
        }
        int to = from + 1;
        if (wire[to] == '|') {
            // Most numbers have one digit, which needs no further check.
            at = to + 1;
            return number;
        }
        for (int digit = Base62.digit(wire[to]); digit >= 0; digit = Base62.digit(wire[++to])) {
            number = number * Base62.BASE + digit;
        }
        int digits = to - from;
        if (digits > MAX_NUMBER_DIGITS || (digits > 1 && wire[from] == '0') || !endsAt(to)) {
            return NOT_PLAIN;
        }
        passSeparator(to);
        return number;
    }

    /** Whether a field may end at an index: at a separator, or at the end mark at the end of the wire. */
    private boolean endsAt(int index) {
        return wire[index] == '|' || index == wire.length - 1;
    }

    private void passSeparator(int index) {
        at = Math.min(index + 1, wire.length - 1);
    }

    /** Reads a string, if it is short ASCII and its field ends after it, and moves to the next field. */
    private boolean string(SlipField field) {
        int from = at + 2;
        if (wire[at + 1] != '"') {
            return false;
        }
        int max = Math.min(wire.length - 1, from + 2 * SlipReader.MAX_STRING_BYTES + 1);
        int escapes = 0;
        int to = from;
        while (to < max && wire[to] != '"') {
            if (wire[to] == '\\') {
                escapes++;
                to++;
                if (wire[to] != '\\' && wire[to] != '"') {
                    return false;
                }
            }
            if (wire[to] < 0) {
                return false;
            }
            to++;
        }
        int length = to - from - escapes;
        if (to >= max || length > SlipReader.MAX_STRING_BYTES || !endsAt(to + 1)) {
            return false;
        }
        field.set(
                message,
                escapes == 0 ? new String(wire, from, length, ISO_8859_1) : SlipReader.unescaped(wire, from, length));
        passSeparator(to + 1);
        return true;
    }
}
