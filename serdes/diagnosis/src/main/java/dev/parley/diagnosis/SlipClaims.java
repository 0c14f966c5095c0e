package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.parley.codec.Ascii;
import dev.parley.codec.slip.SlipCodec;
import dev.parley.codec.slip.SlipField;
import dev.parley.decode.ClaimedNames;
import java.util.Locale;

/**
 * Reads conversation and sender of a malformed message: the first tokens with their prefixes after the first '@', or
 * after the start of a text that is nearly a message. An equals sign or a colon may follow a prefix, or a name of a
 * field, with white space around it. A name with other characters, such as a UUID, is not a number.
 */
final class SlipClaims {
    private SlipClaims() {}

    static ClaimedNames of(byte[] wire) {
        int end = ClaimedNames.end(wire);
        String conversation = null;
        String source = null;
        int at = start(wire, end);
        while (at < end) {
            int name = at;
            at = Ascii.wordEnd(wire, at, end);
            int value = name + 1;
            SlipField field = SlipField.of(wire[name] == 'C' ? 'c' : wire[name]);
            int separator = at > name ? Ascii.skipSpaces(wire, at) : end;
            if (SlipNearMisses.isAssignment(wire, separator, end)) {
                field = at == value ? field : named(wire, name, at);
                value = Ascii.skipSpaces(wire, separator + 1);
                at = Ascii.wordEnd(wire, value, end);
            }
            boolean isWhole = !isPart(wire, at);
            if (field == SlipField.CONVERSATION && conversation == null && isWhole) {
                conversation = number(wire, value, at);
            } else if (field == SlipField.SOURCE && source == null && isWhole) {
                source = number(wire, value, at);
            }
            while (at < end && isPart(wire, at)) {
                at++;
            }
            at++;
        }
        return new ClaimedNames(conversation, source, null);
    }

    /** Whether a byte may be part of a name, as a period may between others. */
    private static boolean isPart(byte[] wire, int at) {
        return at < wire.length
                && (Ascii.isAlphanumeric(wire[at])
                        || wire[at] == '-'
                        || wire[at] == '_'
                        || wire[at] == '.' && at + 1 < wire.length && Ascii.isAlphanumeric(wire[at + 1]));
    }

    private static int start(byte[] wire, int end) {
        int mark = Ascii.skip(wire, 0, end, b -> b != '@');
        int first = Ascii.skipSpaces(wire, 0);
        return mark == end && first < end && wire[first] != '{' && SlipAttempt.resembles(wire, first) ? first : mark;
    }

    /** The field with a name in the dialect with names, such as "conv:1"; null for any other. */
    private static SlipField named(byte[] wire, int from, int to) {
        return switch (new String(wire, from, to - from, US_ASCII).toLowerCase(Locale.ROOT)) {
            case "conv", "conversation", "ctx" -> SlipField.CONVERSATION;
            case "src", "source", "from", "sender" -> SlipField.SOURCE;
            default -> null;
        };
    }

    /** Returns a number in decimal; null if it is none, too large, or probably the end of a word in a sentence. */
    private static String number(byte[] wire, int from, int to) {
        if (from == to) {
            return null;
        }
        int next = Ascii.skipSpaces(wire, to);
        long number = SlipCodec.number(wire, from, to);
        boolean isField = wire[from] <= '9' || next == wire.length || wire[next] == '|' || wire[next] == '#';
        return number >= 0 && isField ? Long.toString(number) : null;
    }
}
