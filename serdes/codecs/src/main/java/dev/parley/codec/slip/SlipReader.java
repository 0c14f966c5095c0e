package dev.parley.codec.slip;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.SlipMessage;
import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.Decimal;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.DecodeResult.Decoded;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Excerpt;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Reads one message after the {@link SlipScanner}: the legacy dialect, duplicates, then the values field by field, then
 * missing fields.
 */
final class SlipReader extends SlipScanner {
    /** Maximum bytes of a short string (SLIP v0.1 §2). */
    static final int MAX_STRING_BYTES = 256;

    private static final String INSTEAD_OF_A_NAME =
            " Instead of a UUID or a name, number the agents, tasks and conversations, and write the name into t\"...\".";

    /** Characters that UUIDs and names have between letters and digits. */
    private static final String NAME_MARKS = "-_.:/@";

    private SlipReader(byte[] wire, DecodeOptions options) {
        super(wire, options);
    }

    static DecodeResult<SlipMessage> read(byte[] wire, DecodeOptions options) {
        int max = options.limits().messageBytes();
        if (wire.length > max) {
            return new Malformed<>(Code.MESSAGE_TOO_LARGE, max, "A message must have at most " + max + " bytes.");
        }
        if (options.limits().fields() >= PlainSlipReader.MAX_SLOTS) {
            Decoded<SlipMessage> plain = PlainSlipReader.read(wire);
            if (plain != null && (plain.warnings().isEmpty() || !options.strict())) {
                return plain;
            }
        }
        return readAny(wire, options);
    }

    /** Reads any message within the size limit. */
    static DecodeResult<SlipMessage> readAny(byte[] wire, DecodeOptions options) {
        SlipReader reader = new SlipReader(wire, options);
        if (!reader.scan() || !reader.fieldsFit()) {
            return reader.error();
        }
        SlipMessage message = new SlipMessage();
        if (!reader.readFields(message) || !reader.isComplete()) {
            return reader.error();
        }
        return new Decoded<>(message, reader.warnings(), List.of(), true);
    }

    private boolean fieldsFit() {
        int fields = fields();
        int mnemonic = SlipField.SCORE.bit() | SlipField.TAG.bit();
        if ((fields & (SlipField.SOURCE.bit() | SlipField.TURN.bit())) == 0 && (fields & mnemonic) == mnemonic) {
            return failNow(
                    Code.SLIP_MISSING_HEADER,
                    wire.length,
                    "s and t are used for S and T. Write S for the source and T for the turn (legacy_dialect=true).");
        }
        int twice = firstDuplicate();
        if (twice >= 0) {
            return failNow(Code.SLIP_DUPLICATE_FIELD, twice, "The field '" + (char) wire[twice] + "' is repeated.");
        }
        return true;
    }

    private boolean readFields(SlipMessage message) {
        byte[] slotOrder = new byte[slots()];
        List<String> unknownFields = List.of();
        int slots = 0;
        int highestHeader = -1;
        int at = start();
        while (wire[at] != '#') {
            if (wire[at] == '|') {
                at++;
                continue;
            }
            SlipField field = SlipField.of(wire[at]);
            int value = afterCharacter(wire, at);
            int end = endOfValue(value);
            if (field == null) {
                if (!warn(Code.SLIP_UNKNOWN_PREFIX, at, "v0.1 defines no field with this prefix.")) {
                    return false;
                }
                if (unknownFields.isEmpty()) {
                    unknownFields = new ArrayList<>(4);
                }
                unknownFields.add(new String(wire, at, end - at, UTF_8));
                slotOrder[slots++] = '?';
            } else if (field.isHeader()) {
                if ((slots > 0 || field.ordinal() < highestHeader)
                        && !warn(Code.SLIP_FIELD_ORDER, at, "The order must be a, f, c, S, d, T, then the slots.")) {
                    return false;
                }
                highestHeader = Math.max(highestHeader, field.ordinal());
                if (!readNumber(message, field, at, value, end)) {
                    return false;
                }
            } else {
                slotOrder[slots++] = (byte) field.prefix();
                if (!(field.isString()
                        ? readString(message, field, at, value, end)
                        : readNumber(message, field, at, value, end))) {
                    return false;
                }
            }
            at = end;
        }
        message.setSlotOrder(slots == 0 ? "" : new String(slotOrder, ISO_8859_1));
        message.setUnknownFields(unknownFields);
        return true;
    }

    private int endOfValue(int from) {
        if (wire[from] == '"') {
            return Ascii.afterString(wire, from, wire.length);
        }
        return Ascii.skip(wire, from, wire.length, value -> !isEnd(value));
    }

    private boolean readNumber(SlipMessage message, SlipField field, int at, int from, int to) {
        if (from == to) {
            return failOnEmpty(field, at);
        }
        if (wire[from] == '"' && !field.isHeader()) {
            return failNow(Code.SLIP_SLOT_TYPE, at, "The slot '" + field.prefix() + "' requires a base62 number.");
        }
        long number = Base62.parse(wire, from, to);
        if (number == Base62.NO_DIGIT) {
            return failOnDigit(field, at, from, to);
        }
        if (number == Base62.OVERFLOW) {
            return failNow(
                    Code.SLIP_INT_OVERFLOW,
                    at,
                    "A number must be at most AzL8n0Y58m7 (2^63-1)."
                            + (isNamed(field, from, to) ? INSTEAD_OF_A_NAME : ""));
        }
        if (wire[from] == '0'
                && to - from > 1
                && !warn(Code.SLIP_NONCANONICAL_INT, at, "Write the number without leading zeros.")) {
            return false;
        }
        if (!SlipNumbers.isSpecified(field, number) && !acceptsUnspecified(field, number, at, from, to)) {
            return false;
        }
        SlipNumbers.set(message, field, number);
        return true;
    }

    private boolean failOnDigit(SlipField field, int at, int from, int to) {
        int wrong = from;
        while (Base62.digit(wire[wrong]) >= 0) {
            wrong++;
        }
        int character = new String(wire, wrong, to - wrong, UTF_8).codePointAt(0);
        boolean mayBeInName = Character.isLetter(character) || NAME_MARKS.indexOf(character) >= 0;
        return failNow(
                Code.SLIP_BAD_INT,
                at,
                "The digits of a number must be 0-9, A-Z and a-z, but byte " + wrong + " is "
                        + Excerpt.character(wire, wrong) + '.'
                        + (mayBeInName && isNamed(field, from, to) ? INSTEAD_OF_A_NAME : ""));
    }

    /** Whether the value of an ID has a letter, as a UUID or a name does. */
    private boolean isNamed(SlipField field, int from, int to) {
        return field.isId()
                && new String(wire, from, to - from, UTF_8).codePoints().anyMatch(Character::isLetter);
    }

    private boolean acceptsUnspecified(SlipField field, long number, int at, int from, int to) {
        return switch (field) {
            case ACT ->
                failNow(
                        Code.SLIP_UNKNOWN_ACT,
                        at,
                        "The act must be 0 to 9 or A, but was " + SlipCodec.digits(number) + " (" + number + ")"
                                + decimalHint(from, to) + ".");
            case FRAME ->
                failNow(Code.SLIP_UNKNOWN_FRAME, at, "The frame type must be 0 to 4, but was " + number + ".");
            case PRIORITY -> warn(Code.SLIP_RANGE, at, "PRIORITY must be 1 to 3.");
            case SCORE -> warn(Code.SLIP_RANGE, at, "SCORE must be 0 to 10 (base62: 0 to A).");
            default -> throw new IllegalStateException(field + " has no range");
        };
    }

    private String decimalHint(int from, int to) {
        int decimal = (int) Decimal.parse(wire, from, to, 99);
        return decimal >= 0 && SlipNumbers.isSpecified(SlipField.ACT, decimal)
                ? "; in decimal it would be " + SlipNumbers.act(decimal) + ", but acts are base62: write A for 10"
                : "";
    }

    private boolean readString(SlipMessage message, SlipField field, int at, int from, int to) {
        if (from == to) {
            return failOnEmpty(field, at);
        }
        if (wire[from] != '"') {
            return failNow(Code.SLIP_SLOT_TYPE, at, "The slot '" + field.prefix() + "' requires a string in quotes.");
        }
        int escapes = 0;
        for (int i = from + 1; i < to - 1; i++) {
            if (wire[i] == '\\') {
                escapes++;
                i++;
            }
        }
        int length = to - from - 2 - escapes;
        String value = escapes == 0 ? new String(wire, from + 1, length, UTF_8) : unescaped(wire, from + 1, length);
        field.set(message, value);
        return length <= MAX_STRING_BYTES
                || warn(
                        Code.SLIP_LONG_STRING,
                        at,
                        "A string must have at most 256 bytes. Store longer text elsewhere, and send its ID.");
    }

    /** The text of a string with valid escapes, which has that many bytes without the backslashes of the escapes. */
    static String unescaped(byte[] wire, int from, int length) {
        byte[] value = new byte[length];
        int at = from;
        for (int i = 0; i < length; i++) {
            if (wire[at] == '\\') {
                at++;
            }
            value[i] = wire[at++];
        }
        return new String(value, UTF_8);
    }

    private boolean isComplete() {
        int missing = SlipField.HEADER_BITS & ~fields();
        if (missing == 0) {
            return true;
        }
        int inUpperCase = firstField(prefix -> {
            SlipField field = SlipField.of(prefix | 0x20);
            return field != null && (field.bit() & missing) != 0;
        });
        if (inUpperCase >= 0) {
            return failNow(
                    Code.SLIP_MISSING_HEADER,
                    inUpperCase,
                    "The prefix '" + (char) wire[inUpperCase] + "' must be in lower case.");
        }
        int bare = firstField(prefix -> prefix >= '0' && prefix <= '9');
        if (bare >= 0) {
            return failNow(
                    Code.SLIP_MISSING_HEADER,
                    bare,
                    "A field must start with its prefix: a (act), f (frame), c (conversation), S (source),"
                            + " d (destination), T (turn).");
        }
        StringBuilder detail = new StringBuilder("Missing header fields:");
        for (int rest = missing; rest != 0; rest &= rest - 1) {
            detail.append(' ').append(SlipField.first(rest).prefix());
        }
        return failNow(Code.SLIP_MISSING_HEADER, wire.length, detail.append('.').toString());
    }

    /** Index of the first field whose first byte a test accepts; -1 if there is none. */
    private int firstField(IntPredicate prefix) {
        int at = start();
        while (wire[at] != '#' && !prefix.test(wire[at])) {
            at = wire[at] == '|' ? at + 1 : endOfValue(afterCharacter(wire, at));
        }
        return wire[at] == '#' ? -1 : at;
    }

    private boolean failOnEmpty(SlipField field, int at) {
        return failNow(Code.SLIP_EMPTY_VALUE, at, "The field '" + field.prefix() + "' must have a value.");
    }
}
