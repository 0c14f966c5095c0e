package dev.parley.codec.slip;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.parley.avro.SlipMessage;
import java.util.List;

/**
 * Reads in one walk what nearly all messages are: canonical, ASCII, without escapes, faults or warnings. Whatever else it meets, it gives up, and
 * {@link SlipReader} reads the message from its start; so this class decides nothing.
 */
final class PlainSlipReader {

    /** Most slots that a plain message has, so that their prefixes fit a long. */
    static final int MOST_SLOTS = 8;

    private static final int LONGEST_NUMBER = 10;

    private PlainSlipReader() {}

    /** The message, or null when it is not plain. */
    static SlipMessage read(byte[] wire) {
        int last = wire.length - 1;
        if (last < 1 || wire[0] != '@' || wire[last] != '#') {
            return null;
        }
        SlipMessage message = new SlipMessage();
        int seen = 0;
        long slots = 0;
        int at = 1;
        while (true) {
            SlipField field = SlipField.of(wire[at]);
            if (field == null || !isNext(field, seen)) {
                return null;
            }
            seen |= field.bit();
            if (!field.isHeader()) {
                if (slots >>> (Byte.SIZE * (MOST_SLOTS - 1)) != 0) {
                    return null;
                }
                slots = slots << Byte.SIZE | field.prefix();
            }
            at = field.isString() ? string(wire, at + 1, last, field, message) : number(wire, at + 1, field, message);
            if (at < 0) {
                return null;
            }
            if (wire[at] == '#') {
                return at == last && (seen & SlipField.HEADER_BITS) == SlipField.HEADER_BITS
                        ? finished(message, slots)
                        : null;
            }
            at++;
        }
    }

    /** Whether a field is the next header, or after all headers a slot that was not there yet. */
    private static boolean isNext(SlipField field, int seen) {
        return field.isHeader()
                ? seen == field.bit() - 1
                : (seen & SlipField.HEADER_BITS) == SlipField.HEADER_BITS && (seen & field.bit()) == 0;
    }

    /** Index of the separator after a plain number, or -1. The end mark at the end of the wire stops the walk. */
    private static int number(byte[] wire, int from, SlipField field, SlipMessage message) {
        int at = from;
        long number = 0;
        for (int digit = Base62.digit(wire[at]); digit >= 0; digit = Base62.digit(wire[++at])) {
            number = number * Base62.BASE + digit;
        }
        int length = at - from;
        boolean plain = SlipScanner.isEnd(wire[at])
                && length >= 1
                && length <= LONGEST_NUMBER
                && (length == 1 || wire[from] != '0')
                && SlipNumbers.isSpecified(field, number);
        if (!plain) {
            return -1;
        }
        SlipNumbers.set(message, field, number);
        return at;
    }

    /** Index of the separator after a plain string, or -1. */
    private static int string(byte[] wire, int open, int last, SlipField field, SlipMessage message) {
        if (wire[open] != '"') {
            return -1;
        }
        int most = Math.min(last, open + 1 + SlipReader.LONGEST_STRING + 1);
        int at = open + 1;
        while (at < most && wire[at] != '"') {
            if (wire[at] < 0 || wire[at] == '\\') {
                return -1;
            }
            at++;
        }
        if (at >= most || !SlipScanner.isEnd(wire[at + 1])) {
            return -1;
        }
        String value = new String(wire, open + 1, at - open - 1, ISO_8859_1);
        if (field == SlipField.STATUS) {
            message.setStatus(value);
        } else {
            message.setTag(value);
        }
        return at + 1;
    }

    private static SlipMessage finished(SlipMessage message, long slots) {
        message.setSlotOrder(slots == 0 ? "" : prefixes(slots));
        message.setUnknownFields(List.of());
        return message;
    }

    /** The characters that a long holds, the last one in its lowest byte. */
    private static String prefixes(long slots) {
        byte[] prefixes = new byte[MOST_SLOTS - Long.numberOfLeadingZeros(slots) / Byte.SIZE];
        long rest = slots;
        for (int i = prefixes.length - 1; i >= 0; i--) {
            prefixes[i] = (byte) rest;
            rest >>>= Byte.SIZE;
        }
        return new String(prefixes, ISO_8859_1);
    }
}
