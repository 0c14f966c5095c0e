package dev.parley.codec.slip;

import dev.parley.avro.SlipAct;
import dev.parley.avro.SlipMessage;
import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeResult.Malformed;

/** Finds the cause of a decode error in a text that is nearly a message. Reads the fields outside quotes once. */
final class SlipNearMiss {
    private SlipNearMiss() {}

    /** The error with its cause; the same error if the cause is unknown. */
    static Malformed<SlipMessage> explain(byte[] wire, Malformed<SlipMessage> error) {
        Malformed<SlipMessage> found = null;
        if (error.code() == Code.SLIP_NO_START) {
            found = notStarted(wire, error.offset());
        } else if (error.code().name().startsWith("SLIP_")
                && error.code() != Code.SLIP_BAD_UTF8
                && error.code() != Code.SLIP_VERSION) {
            int at = Ascii.skipSpaces(wire, 0);
            found = at < wire.length && wire[at] == '@' ? inFields(wire, at + 1, error.code()) : null;
        }
        return found == null ? error : found;
    }

    /**
     * Finds a field that has the prefix of a missing one in upper case.
     *
     * @param from index after the start mark of a message without lexical errors
     * @param missing bits of the missing fields
     * @return index of its prefix; -1 if there is none
     */
    static int inUpperCase(byte[] wire, int from, int missing) {
        int at = from;
        while (wire[at] != '#') {
            SlipField field = wire[at] >= 'A' && wire[at] <= 'Z' ? SlipField.of(wire[at] | 0x20) : null;
            if (field != null && (field.bit() & missing) != 0) {
                return at;
            }
            if (!SlipScanner.isEnd(wire[at])) {
                at = SlipScanner.afterCharacter(wire, at);
                at = wire[at] == '"' ? Ascii.afterString(wire, at, wire.length) : at;
            }
            while (!SlipScanner.isEnd(wire[at])) {
                at++;
            }
            at += wire[at] == '|' ? 1 : 0;
        }
        return -1;
    }

    private static Malformed<SlipMessage> notStarted(byte[] wire, int at) {
        if (at >= wire.length) {
            return null;
        }
        if (wire[at] == '{') {
            return new Malformed<>(
                    Code.SLIP_NO_START, at, "This is an object. An nSLIP message has fields: @a3|f0|c1|S0|d1|T1#.");
        }
        return SlipDetection.resembles(wire, at)
                ? new Malformed<>(Code.SLIP_NO_START, at, "The '@' before the act is missing.")
                : null;
    }

    private static Malformed<SlipMessage> inFields(byte[] wire, int from, Code code) {
        int at = from;
        while (at < wire.length && wire[at] != '#') {
            int end = at;
            while (end < wire.length && !SlipScanner.isEnd(wire[end])) {
                if (wire[end] == '"') {
                    end++;
                    while (end < wire.length && wire[end] != '"') {
                        end += wire[end] == '\\' ? 2 : 1;
                    }
                }
                end++;
            }
            end = Math.min(end, wire.length);
            Malformed<SlipMessage> found = inField(wire, at, end, code);
            if (found != null) {
                return found;
            }
            at = end + 1;
        }
        return null;
    }

    /** The error of an act that is written as its name, with or without its prefix; null for any other. */
    private static Malformed<SlipMessage> named(byte[] wire, int from, int to) {
        for (SlipAct act : SlipAct.values()) {
            if (act == SlipAct.UNKNOWN) {
                continue;
            }
            int prefix = to - from - act.name().length();
            boolean prefixed = prefix == 1 && wire[from] == 'a';
            if ((prefix == 0 || prefixed) && Ascii.startsWithLetters(wire, from + prefix, act.name())) {
                return new Malformed<>(
                        Code.SLIP_UNKNOWN_ACT,
                        from,
                        "Acts are numbers: write a" + SlipCodec.digits(SlipNumbers.number(act)) + " for " + act + ".");
            }
        }
        return null;
    }

    private static Malformed<SlipMessage> inField(byte[] wire, int from, int to, Code code) {
        if (wire[from - 1] == '@') {
            Malformed<SlipMessage> named = named(wire, from, to);
            if (named != null) {
                return named;
            }
        }
        if (code == Code.SLIP_BAD_INT || code == Code.SLIP_UNTERMINATED || code == Code.SLIP_WHITESPACE) {
            int at = from + 1;
            if (at < to && (wire[at] == '=' || wire[at] == ':')) {
                return new Malformed<>(
                        Code.SLIP_BAD_INT,
                        at,
                        "A '" + (char) wire[at] + "' follows the prefix. The value must follow it directly.");
            }
            while (at < to && Ascii.isAlphanumeric(wire[at])) {
                at++;
            }
            int next = Ascii.skipSpaces(wire, at + 1);
            if (at > from + 1
                    && at < to
                    && ",;&/".indexOf(wire[at]) >= 0
                    && next < to
                    && SlipField.of(wire[next]) != null) {
                return new Malformed<>(
                        Code.SLIP_BAD_INT,
                        at,
                        "A '" + (char) wire[at] + "' follows the value. Separate fields with '|'.");
            }
        }
        if ((code == Code.SLIP_MISSING_HEADER || code == Code.SLIP_UNTERMINATED || code == Code.SLIP_BAD_INT)
                && wire[from - 1] == '@') {
            int at = from;
            while (at < to && Ascii.isAlphanumeric(wire[at])) {
                at++;
            }
            if (at > from + 1 && at < to && (wire[at] == '=' || wire[at] == ':')) {
                return new Malformed<>(
                        Code.SLIP_BAD_INT,
                        at,
                        "A '" + (char) wire[at]
                                + "' follows a name, as in a dialect with names of fields. A field must be"
                                + " one letter and its value: a (act), f (frame), c (conversation), S (source),"
                                + " d (destination), T (turn), k (task).");
            }
        }
        if (code == Code.SLIP_SLOT_TYPE || code == Code.SLIP_BAD_INT) {
            int at = from + 1;
            SlipField field = from < to ? SlipField.of(wire[from]) : null;
            if (field != null && field.isString() && at < to && (wire[at] == '\'' || wire[at] == '&' || wire[at] < 0)) {
                return new Malformed<>(Code.SLIP_SLOT_TYPE, at, "A string must be in straight double quotes (\").");
            }
        }
        return null;
    }
}
