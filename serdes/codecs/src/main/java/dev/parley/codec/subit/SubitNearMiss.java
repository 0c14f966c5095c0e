package dev.parley.codec.subit;

import dev.parley.avro.SubitMessage;
import dev.parley.codec.Ascii;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Utf8;

/** Finds the cause of a decode error in a text that is nearly a packet. */
final class SubitNearMiss {
    private static final String[][] LITERALS = {
        {"None", "null"}, {"True", "true"}, {"False", "false"}, {"undefined", "null"}, {"NaN", "null"}
    };

    private SubitNearMiss() {}

    /** The error with its cause; the same error if the cause is unknown. */
    static Malformed<SubitMessage> explain(byte[] wire, Malformed<SubitMessage> error) {
        return switch (error.code()) {
            case SUBIT_NOT_JSON -> notJson(wire, error);
            case SUBIT_MISSING_FIELD -> otherCase(wire, error);
            default -> error;
        };
    }

    private static Malformed<SubitMessage> notJson(byte[] wire, Malformed<SubitMessage> error) {
        int at = Ascii.skipSpaces(wire, Utf8.startsWithMark(wire) ? Utf8.MARK_LENGTH : 0);
        if (at < wire.length && wire[at] != '{') {
            return SubitDetection.resembles(wire, at)
                    ? at(error, at, "This is the plain form TYPE: bits. Send a JSON object with type and payload.")
                    : error;
        }
        int wrong = error.offset();
        if (wrong >= wire.length) {
            return error;
        }
        byte b = wire[wrong];
        if (b == '\'' || b == '`') {
            return at(
                    error,
                    wrong,
                    "JSON strings must be in double quotes (\"), but this one is in "
                            + (b == '`' ? "backticks." : "single quotes."));
        }
        if (b < 0) {
            return at(error, wrong, "A typographic quote or another character is here. Write straight quotes (\").");
        }
        String cause = otherNotation(wire, wrong);
        if (cause != null) {
            return at(error, wrong, cause);
        }
        return Ascii.startsWithLetters(wire, wrong, "type") || Ascii.startsWithLetters(wire, wrong, "payload")
                ? at(error, wrong, "The key must be in double quotes (\").")
                : error;
    }

    /** What JSON requires in place of the notation of another language; null if none is here. */
    private static String otherNotation(byte[] wire, int wrong) {
        int before = wrong - 1;
        while (before > 0 && Ascii.isSpace(wire[before])) {
            before--;
        }
        byte b = wire[wrong];
        if ((b == '}' || b == ']') && before > 0 && wire[before] == ',') {
            return "A comma must not precede a closing bracket.";
        }
        if (b == '#' || b == '/') {
            return "JSON has no comments. Remove this one.";
        }
        for (String[] literal : LITERALS) {
            if (Ascii.startsWith(wire, wrong, literal[0])) {
                return "JSON has no " + literal[0] + ". Write " + literal[1] + ".";
            }
        }
        return null;
    }

    /** A key "Type" or "PAYLOAD", for example, in place of a missing one. */
    private static Malformed<SubitMessage> otherCase(byte[] wire, Malformed<SubitMessage> error) {
        for (int at = 0; at < wire.length; at++) {
            if (wire[at] == '"') {
                for (String key : new String[] {"type", "payload"}) {
                    int end = at + 1 + key.length();
                    if (Ascii.startsWithLetters(wire, at + 1, key)
                            && !Ascii.startsWith(wire, at + 1, key)
                            && end < wire.length
                            && wire[end] == '"') {
                        return at(error, at, "The key must be in lower case: " + key + ".");
                    }
                }
            }
        }
        return error;
    }

    private static Malformed<SubitMessage> at(Malformed<SubitMessage> error, int offset, String detail) {
        return new Malformed<>(error.code(), offset, detail);
    }
}
