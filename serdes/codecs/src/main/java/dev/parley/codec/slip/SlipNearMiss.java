package dev.parley.codec.slip;

import dev.parley.avro.Protocol;
import dev.parley.avro.SlipMessage;
import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeResult.Malformed;

/** Finds the cause of a decode error in a text that is nearly a message. Reads the fields outside quotes once. */
final class SlipNearMiss {
    private SlipNearMiss() {}

    /**
     * The error with its cause; the same error if the cause is unknown. A limit, and the format warning that a profile
     * refuses, are causes themselves.
     */
    static Malformed<SlipMessage> explain(byte[] wire, Malformed<SlipMessage> error) {
        if (error.code().protocol() != Protocol.SLIP || error.code().kind() != Code.Kind.MALFORMED) {
            return error;
        }
        Malformed<SlipMessage> found = null;
        if (error.code() == Code.SLIP_NO_START) {
            found = notStarted(wire, error.offset());
        } else if (error.code() != Code.SLIP_BAD_UTF8) {
            int at = Ascii.skipSpaces(wire, 0);
            found = wire[at] == '@' ? inFields(wire, at + 1, error) : null;
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
        for (int at = from; wire[at] != '#'; at = next(wire, at)) {
            SlipField field = SlipField.of(wire[at] | 0x20);
            if (field != null && (field.bit() & missing) != 0) {
                return at;
            }
        }
        return -1;
    }

    /** Index of the first field that starts with a digit; -1 if there is none. Takes the same message. */
    static int withoutPrefix(byte[] wire, int from) {
        int at = from;
        while (wire[at] != '#' && (wire[at] < '0' || wire[at] > '9')) {
            at = next(wire, at);
        }
        return wire[at] == '#' ? -1 : at;
    }

    /** Index after a separator, or after a field that may lack the '|' or '#' after it. */
    private static int next(byte[] wire, int from) {
        if (wire[from] == '|') {
            return from + 1;
        }
        int at = SlipScanner.afterCharacter(wire, from);
        if (at < wire.length && wire[at] == '"') {
            at = Ascii.afterString(wire, at, wire.length);
        }
        while (at < wire.length && !SlipScanner.isEnd(wire[at])) {
            at++;
        }
        return at;
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

    private static Malformed<SlipMessage> inFields(byte[] wire, int from, Malformed<SlipMessage> error) {
        int at = from;
        while (at < wire.length && wire[at] != '#') {
            int end = next(wire, at);
            Malformed<SlipMessage> found = at == from ? inFirst(wire, at, end, error.code()) : null;
            found = found == null ? inField(wire, at, end, error) : found;
            if (found != null) {
                return found;
            }
            at = end;
        }
        return null;
    }

    /**
     * A second start mark, an act that is written as its name, with or without its prefix, or a field with a name
     * instead of a prefix.
     */
    private static Malformed<SlipMessage> inFirst(byte[] wire, int from, int to, Code code) {
        if (wire[from] == '@' && code == Code.SLIP_MISSING_HEADER) {
            return new Malformed<>(code, from, "A second '@' is here. Remove it.");
        }
        for (int number = 0; SlipNumbers.isSpecified(SlipField.ACT, number); number++) {
            String act = SlipNumbers.act(number).name();
            int prefix = to - from - act.length();
            if ((prefix == 0 || prefix == 1 && wire[from] == 'a')
                    && Ascii.startsWithLetters(wire, from + prefix, act)) {
                return new Malformed<>(
                        Code.SLIP_UNKNOWN_ACT,
                        from,
                        "Acts are numbers: write a" + SlipCodec.digits(number) + " for " + act + ".");
            }
        }
        int at = Ascii.wordEnd(wire, from, to);
        return at > from + 1 && isAssignment(wire, at, to) && (code == Code.SLIP_MISSING_HEADER || isSyntax(code))
                ? new Malformed<>(
                        Code.SLIP_BAD_INT,
                        at,
                        "A '" + (char) wire[at]
                                + "' follows a name, as in a dialect with names of fields. A field must be"
                                + " one letter and its value: a (act), f (frame), c (conversation), S (source),"
                                + " d (destination), T (turn), k (task).")
                : null;
    }

    private static Malformed<SlipMessage> inField(byte[] wire, int from, int to, Malformed<SlipMessage> error) {
        int at = Ascii.wordEnd(wire, from, to);
        if (isSyntax(error.code())) {
            if (at == from + 1 && isAssignment(wire, at, to) && SlipField.of(wire[from] | 0x20) != null) {
                return new Malformed<>(
                        Code.SLIP_BAD_INT,
                        at,
                        "A '" + (char) wire[at] + "' follows the prefix. The value must follow it directly.");
            }
            int separator = SlipDetection.afterSeparator(wire, at);
            int next = Ascii.skipSpaces(wire, separator);
            if (at > from + 1 && separator > at && next < to && SlipField.of(wire[next]) != null) {
                String character = wire[at] < 0 ? "A character that is not ASCII" : "A '" + (char) wire[at] + '\'';
                return new Malformed<>(
                        Code.SLIP_BAD_INT, at, character + " follows the value. Separate fields with '|'.");
            }
        }
        SlipField field = SlipField.of(wire[from]);
        int escaped = afterBackslashes(wire, at, to);
        if (field != null && from <= error.offset() && escaped > at && "|#\"".indexOf(wire[escaped]) >= 0) {
            return new Malformed<>(
                    field.isString() ? Code.SLIP_SLOT_TYPE : Code.SLIP_BAD_INT,
                    at,
                    "Remove the backslash before '" + (char) wire[escaped] + "'.");
        }
        boolean isWrong = from <= error.offset() && error.offset() < to;
        if (isWrong && field != null && field.isString() && from + 1 < to && isOtherQuote(wire[from + 1])) {
            return new Malformed<>(Code.SLIP_SLOT_TYPE, from + 1, "A string must be in straight double quotes (\").");
        }
        return null;
    }

    /** Index after the backslashes at an index; the same index without one, or if the text ends with them. */
    private static int afterBackslashes(byte[] wire, int from, int to) {
        int at = from;
        while (at < to && wire[at] == '\\') {
            at++;
        }
        return at < wire.length ? at : from;
    }

    /** Whether the fields of a message with this error are not separated, or have no value, as v0.1 requires. */
    private static boolean isSyntax(Code code) {
        return code == Code.SLIP_BAD_INT || code == Code.SLIP_UNTERMINATED || code == Code.SLIP_WHITESPACE;
    }

    /** Whether an equals sign or a colon is at an index before the end. */
    static boolean isAssignment(byte[] wire, int at, int to) {
        return at < to && (wire[at] == '=' || wire[at] == ':');
    }

    /** Whether a byte is a single quote, the start of an entity, or part of a quote that is not ASCII. */
    private static boolean isOtherQuote(byte b) {
        return b == '\'' || b == '&' || b < 0;
    }
}
