package dev.parley.codec.slip;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.parley.codec.Ascii;
import dev.parley.codec.ClaimedNames;
import java.util.Locale;

/**
 * Reads conversation and sender of a malformed message: the first tokens with their prefixes after the first '@', or
 * after the start of a text that is nearly a message. An equals sign or a colon may follow a prefix, or a name of a
 * field.
 */
final class SlipClaims {
    private SlipClaims() {}

    static ClaimedNames of(byte[] wire) {
        int end = ClaimedNames.end(wire);
        int at = 0;
        while (at < end && wire[at] != '@') {
            at++;
        }
        int first = Ascii.skipSpaces(wire, 0);
        if (at == end && first < end && wire[first] != '{' && SlipDetection.resembles(wire, first)) {
            at = first;
        }
        String conversation = null;
        String source = null;
        while (at < end && (conversation == null || source == null)) {
            int start = at;
            while (at < end && Ascii.isAlphanumeric(wire[at])) {
                at++;
            }
            int value = start + 1;
            if (at == value && at < end && (wire[at] == '=' || wire[at] == ':')) {
                value++;
                at++;
                while (at < end && Ascii.isAlphanumeric(wire[at])) {
                    at++;
                }
            }
            SlipField field = at > start ? SlipField.of(wire[start] == 'C' ? 'c' : wire[start]) : null;
            if (at > value && at < end && (wire[at] == '=' || wire[at] == ':')) {
                field = named(wire, start, at);
                value = at + 1;
                at = value;
                while (at < end && Ascii.isAlphanumeric(wire[at])) {
                    at++;
                }
            }
            if (field == SlipField.CONVERSATION && conversation == null) {
                conversation = number(wire, value, at);
            } else if (field == SlipField.SOURCE && source == null) {
                source = number(wire, value, at);
            }
            at++;
        }
        return new ClaimedNames(conversation, source, null);
    }

    /** The field with a name in the dialect with names, such as "conv:1"; null for any other. */
    private static SlipField named(byte[] wire, int from, int to) {
        return switch (new String(wire, from, to - from, US_ASCII).toLowerCase(Locale.ROOT)) {
            case "conv", "conversation", "ctx" -> SlipField.CONVERSATION;
            case "src", "source", "from", "sender" -> SlipField.SOURCE;
            default -> null;
        };
    }

    /** Returns a number in decimal; null if it is none, or too large. */
    private static String number(byte[] wire, int from, int to) {
        long number = from == to ? Base62.NO_DIGIT : Base62.parse(wire, from, to);
        return number < 0 ? null : Long.toString(number);
    }
}
