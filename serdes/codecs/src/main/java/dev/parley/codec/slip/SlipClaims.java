package dev.parley.codec.slip;

import dev.parley.codec.Ascii;
import dev.parley.codec.ClaimedNames;

/** Reads conversation and sender of a malformed message: the first tokens with their prefixes after the first '@'. */
final class SlipClaims {
    private SlipClaims() {}

    static ClaimedNames of(byte[] wire) {
        int end = ClaimedNames.end(wire);
        int at = 0;
        while (at < end && wire[at] != '@') {
            at++;
        }
        String conversation = null;
        String source = null;
        while (at < end && (conversation == null || source == null)) {
            int start = at;
            while (at < end && Ascii.isAlphanumeric(wire[at])) {
                at++;
            }
            SlipField field = at > start ? SlipField.of(wire[start]) : null;
            if (field == SlipField.CONVERSATION && conversation == null) {
                conversation = number(wire, start + 1, at);
            } else if (field == SlipField.SOURCE && source == null) {
                source = number(wire, start + 1, at);
            }
            at++;
        }
        return new ClaimedNames(conversation, source, null);
    }

    /** Returns a number in decimal; null if it is none, or too large. */
    private static String number(byte[] wire, int from, int to) {
        long number = from == to ? Base62.NO_DIGIT : Base62.parse(wire, from, to);
        return number < 0 ? null : Long.toString(number);
    }
}
