package dev.parley.codec.slip;

import dev.parley.avro.SlipMessage;
import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Utf8;
import dev.parley.codec.Warnings;
import java.util.List;

/**
 * First pass over a message from left to right: finds its end, its fields, and its first lexical error. Allocates
 * nothing. The second pass, {@link SlipReader}, may rely on closed strings and known escapes; it is a subclass to save
 * one object per message.
 *
 * <p>A string opens only where a value starts, so a separator or an end mark inside quotes is text (docs/protocols.md
 * 1.2, S2 and S3).
 */
class SlipScanner {
    final byte[] wire;

    private final DecodeOptions options;
    private final int end;

    private Warnings warnings;
    private Malformed<SlipMessage> error;
    private int start;
    private int fields;
    private int slots;
    private int firstDuplicate = -1;

    SlipScanner(byte[] wire, DecodeOptions options) {
        this.wire = wire;
        this.options = options;
        int last = wire.length;
        while (last > 0 && isWhite(wire[last - 1])) {
            last--;
        }
        this.end = last;
    }

    /** Scans the message. Returns false after an error, which {@link #error} then contains. */
    final boolean scan() {
        int at = 0;
        if (Utf8.startsWithMark(wire)) {
            if (!warn(Code.BYTE_ORDER_MARK, 0, "Send the message without the byte order mark.")) {
                return false;
            }
            at = Utf8.MARK_LENGTH;
        }
        at = skipWhite(at);
        if (at >= end || wire[at] != '@') {
            return failOnStart(at);
        }
        at++;
        start = at;
        while (true) {
            at = token(at);
            if (at < 0) {
                return false;
            }
            if (wire[at] == '#') {
                return finish(at);
            }
            at++;
        }
    }

    /** Index after the start mark. */
    final int start() {
        return start;
    }

    /** Bits of the fields that the message has. */
    final int fields() {
        return fields;
    }

    /** Number of slots, known and unknown. */
    final int slots() {
        return slots;
    }

    /** Whether the token between two separators is empty anywhere. */
    final boolean hasEmptyToken() {
        return warnings().contains(Code.SLIP_EMPTY_TOKEN);
    }

    /** Index of the first field that repeats an earlier one, or -1. */
    final int firstDuplicate() {
        return firstDuplicate;
    }

    /** The first error, after a method returned false. */
    final Malformed<SlipMessage> error() {
        return error;
    }

    /** The format warnings so far. */
    final List<Code> warnings() {
        return Warnings.listed(warnings);
    }

    /** Adds a format warning. Returns false if the profile turns it into an error. */
    final boolean warn(Code code, int at, String detail) {
        if (options.strict()) {
            return fail(code, at, detail);
        }
        warnings = Warnings.with(warnings, code);
        return true;
    }

    /** Sets the error; always returns false. */
    final boolean failNow(Code code, int at, String detail) {
        error = new Malformed<>(code, at, detail);
        return false;
    }

    /** Index after the character that starts at an index. */
    static int afterCharacter(byte[] wire, int from) {
        return Ascii.skip(wire, from + 1, wire.length, b -> (b & 0xC0) == 0x80);
    }

    static boolean isEnd(int value) {
        return value == '|' || value == '#';
    }

    private boolean failOnStart(int at) {
        if (Ascii.startsWith(wire, at, "SLIP v")) {
            return fail(Code.SLIP_VERSION, at, "This is the text protocol 'SLIP v...'. Send nSLIP v0.1.");
        }
        return fail(Code.SLIP_NO_START, at < end ? at : wire.length, at, "An nSLIP message must start with '@'.");
    }

    /** Index of the '|' or '#' that ends the token; -1 after an error. */
    private int token(int from) {
        int at = from;
        if (at < end && isEnd(wire[at])) {
            return emptyToken(at);
        }
        if (at < end && wire[at] == '"') {
            return refuse(Code.SLIP_BAD_STRING, at, at, "A string must follow the prefix of its field.");
        }
        if (at < end && !isWhite(wire[at])) {
            if (!take(at)) {
                return -1;
            }
            at = afterCharacter(wire, at);
            if (at < end && wire[at] == '"') {
                at = string(at);
                if (at < 0) {
                    return -1;
                }
                if (at < end && !isEnd(wire[at]) && !isWhite(wire[at])) {
                    return refuse(Code.SLIP_BAD_STRING, at - 1, at, "Write a quote inside a string as \\\".");
                }
            }
        }
        while (at < end && !isEnd(wire[at])) {
            if (isWhite(wire[at])) {
                return refuse(Code.SLIP_WHITESPACE, at, at, "White space must be inside quotes.");
            }
            at++;
        }
        if (at >= end) {
            return refuse(Code.SLIP_UNTERMINATED, wire.length, end, "The message must end with '#'.");
        }
        return at;
    }

    private int emptyToken(int at) {
        if (at == start && wire[at] == '#') {
            return at;
        }
        return warn(Code.SLIP_EMPTY_TOKEN, at, "Remove the separator without a field.") ? at : -1;
    }

    private boolean take(int at) {
        SlipField field = SlipField.of(wire[at]);
        if (field == null || !field.isHeader()) {
            if (slots == options.limits().fields()) {
                return fail(
                        Code.TOO_MANY_FIELDS,
                        at,
                        at,
                        "A message must have at most " + options.limits().fields() + " slots.");
            }
            slots++;
        }
        if (field != null) {
            if ((fields & field.bit()) == 0) {
                fields |= field.bit();
            } else if (firstDuplicate < 0) {
                firstDuplicate = at;
            }
        }
        return true;
    }

    private int string(int open) {
        for (int at = open + 1; at < end; at++) {
            if (wire[at] == '"') {
                return at + 1;
            }
            if (wire[at] == '\\') {
                if (at + 1 < end && wire[at + 1] != '\\' && wire[at + 1] != '"') {
                    return refuse(Code.SLIP_BAD_STRING, at, at + 1, "The escapes of a string must be \\\\ and \\\".");
                }
                at++;
            }
        }
        return refuse(Code.SLIP_BAD_STRING, open, end, "The string that opens here is not closed.");
    }

    private boolean finish(int mark) {
        int at = skipWhite(mark + 1);
        if (at < end) {
            return fail(Code.SLIP_TRAILING_DATA, at, "A record must contain one message that ends with '#'.");
        }
        int bad = Utf8.firstInvalid(wire, 0, mark);
        return bad < 0 || failNow(Code.SLIP_BAD_UTF8, bad, "The byte at this offset is not valid UTF-8.");
    }

    /** Sets a lexical error that shows at index {@code seen}; an earlier byte that is not UTF-8 takes precedence. */
    private boolean fail(Code code, int offset, int seen, String detail) {
        int bad = Utf8.firstInvalid(wire, 0, wire.length);
        return (bad >= 0 && bad <= seen)
                ? failNow(Code.SLIP_BAD_UTF8, bad, "The byte at this offset is not valid UTF-8.")
                : failNow(code, offset, detail);
    }

    private boolean fail(Code code, int offset, String detail) {
        return fail(code, offset, offset, detail);
    }

    private int refuse(Code code, int offset, int seen, String detail) {
        fail(code, offset, seen, detail);
        return -1;
    }

    private int skipWhite(int from) {
        int at = from;
        while (at < end && isWhite(wire[at])) {
            at++;
        }
        return at;
    }

    private static boolean isWhite(byte value) {
        return value == ' ' || (value >= '\t' && value <= '\r');
    }
}
