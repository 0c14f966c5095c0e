package dev.parley.codec.subit;

import dev.parley.avro.SubitMessage;
import dev.parley.codec.Ascii;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Utf8;
import java.util.List;

/** Finds the cause of a decode error in a text that is nearly a packet. */
final class SubitNearMiss {
    private static final String[][] LITERALS = {
        {"None", "null"}, {"True", "true"}, {"False", "false"}, {"undefined", "null"}, {"NaN", "null"}
    };

    private static final List<String> REQUIRED_KEYS = List.of("\"type\"", "\"payload\"");

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
            if (SubitDetection.lacksBraces(wire, at)) {
                return at(error, at, "The braces around the object are missing.");
            }
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
        if (b == '\\' && Ascii.startsWith(wire, wrong + 1, "\"")) {
            return at(error, wrong, "A backslash is outside of a string. Remove the backslashes before quotes.");
        }
        if (b < 0) {
            return at(error, wrong, "A typographic quote or another character is here. Write straight quotes (\").");
        }
        String cause = otherNotation(wire, wrong);
        return cause == null ? error : at(error, wrong, cause);
    }

    /**
     * The JSON in place of the notation of another language; null if none is here.
     *
     * @param wrong index of a byte inside the object
     */
    private static String otherNotation(byte[] wire, int wrong) {
        int before = wrong - 1;
        while (Ascii.isSpace(wire[before])) {
            before--;
        }
        byte b = wire[wrong];
        if ((b == '}' || b == ']') && wire[before] == ',') {
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

    /** A key "Type" or "PAYLOAD", for example, in place of a missing one in valid JSON. */
    private static Malformed<SubitMessage> otherCase(byte[] wire, Malformed<SubitMessage> error) {
        for (int at = 0; at < wire.length; at++) {
            for (String key : REQUIRED_KEYS) {
                if (Ascii.startsWithLetters(wire, at, key)
                        && !Ascii.startsWith(wire, at, key)
                        && wire[Ascii.skipSpaces(wire, at + key.length())] == ':') {
                    return at(error, at, "The key must be in lower case: " + key.replace("\"", "") + ".");
                }
            }
        }
        return error;
    }

    private static Malformed<SubitMessage> at(Malformed<SubitMessage> error, int offset, String detail) {
        return new Malformed<>(error.code(), offset, detail);
    }
}
