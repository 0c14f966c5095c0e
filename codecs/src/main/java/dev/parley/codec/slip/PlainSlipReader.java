package dev.parley.codec.slip;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.parley.avro.SlipMessage;
import java.util.List;

/**
 * Fast path for almost all messages: canonical, ASCII, without escapes, errors or warnings. It returns null for any
 * other message, which {@link SlipReader} then decodes from its start, so this class makes no decision.
 */
final class PlainSlipReader {

    /** Maximum number of slots of a plain message, so that their prefixes fit into a long. */
    static final int MAX_SLOTS = 8;

    private static final int MAX_NUMBER_DIGITS = 10;

    /** Result of {@link #number} if the field is not plain. */
    private static final long NOT_PLAIN = -1;

    private final byte[] wire;
    private final SlipMessage message = new SlipMessage();
    private int at = 1;

    private PlainSlipReader(byte[] wire) {
        this.wire = wire;
    }

    /** The message; null if it is not plain. */
    static SlipMessage read(byte[] wire) {
        int last = wire.length - 1;
        if (last < 1 || wire[0] != '@' || wire[last] != '#') {
            return null;
        }
        PlainSlipReader reader = new PlainSlipReader(wire);
        return reader.headers() && reader.slots(last) ? reader.message : null;
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
            if (field == null || field.isHeader() || (seen & field.bit()) != 0 || full) {
                return false;
            }
            seen |= field.bit();
            prefixes = prefixes << Byte.SIZE | field.prefix();
            if (!(field.isString() ? string(field) : number(field))) {
                return false;
            }
        }
        message.setSlotOrder(prefixes == 0 ? "" : characters(prefixes));
        message.setUnknownFields(List.of());
        return wire[last - 1] != '|';
    }

    private boolean number(SlipField field) {
        long number = number();
        if (number < 0 || !SlipNumbers.isSpecified(field, number)) {
            return false;
        }
        SlipNumbers.set(message, field, number);
        return true;
    }

    /**
     * Reads the number of the field that starts here, and moves to the next field. The end mark at the end of the wire
     * stops it.
     */
    private long number() {
        int from = at + 1;
        int to = from;
        long number = 0;
        for (int digit = Base62.digit(wire[to]); digit >= 0; digit = Base62.digit(wire[++to])) {
            number = number * Base62.BASE + digit;
        }
        int digits = to - from;
        if (digits == 0 || digits > MAX_NUMBER_DIGITS || (digits > 1 && wire[from] == '0') || !endsAt(to)) {
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

    private boolean string(SlipField field) {
        int from = at + 2;
        if (wire[at + 1] != '"') {
            return false;
        }
        int max = Math.min(wire.length - 1, from + SlipReader.MAX_STRING_BYTES + 1);
        int to = from;
        while (to < max && wire[to] != '"') {
            if (wire[to] < 0 || wire[to] == '\\') {
                return false;
            }
            to++;
        }
        if (to >= max || !endsAt(to + 1)) {
            return false;
        }
        String value = new String(wire, from, to - from, ISO_8859_1);
        if (field == SlipField.STATUS) {
            message.setStatus(value);
        } else {
            message.setTag(value);
        }
        passSeparator(to + 1);
        return true;
    }

    /** The characters in a long, the last one in its lowest byte. */
    private static String characters(long slots) {
        byte[] prefixes = new byte[MAX_SLOTS - Long.numberOfLeadingZeros(slots) / Byte.SIZE];
        long rest = slots;
        for (int i = prefixes.length - 1; i >= 0; i--) {
            prefixes[i] = (byte) rest;
            rest >>>= Byte.SIZE;
        }
        return new String(prefixes, ISO_8859_1);
    }
}
