package dev.parley.decode;

import dev.parley.avro.Protocol;
import dev.parley.codec.Utf8;
import java.util.Locale;

/** Determines the protocol of a message by a name or by its first bytes. */
public final class ProtocolDetector {
    private static final String LAMBDA_STARTS = "?!.~><#@{-[|";
    private static final String LAMBDA_TYPES = "?!.~><#@";

    private ProtocolDetector() {}

    /**
     * Returns the protocol with a name, as in a header or option.
     *
     * @param name slip, nslip, subit, csp, lambda or λ, in any case
     * @return UNKNOWN for any other name
     */
    public static Protocol named(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "slip", "nslip" -> Protocol.SLIP;
            case "subit" -> Protocol.SUBIT;
            case "csp" -> Protocol.CSP;
            case "lambda", "λ" -> Protocol.LAMBDA;
            default -> Protocol.UNKNOWN;
        };
    }

    /**
     * Detects the protocol by the first bytes. For a JSON object, scans up to the first decisive key.
     *
     * @param wire a message; not changed
     * @return UNKNOWN if the bytes are not decisive
     */
    public static Protocol detect(byte[] wire) {
        int at = startOfText(wire);
        if (at == wire.length) {
            return Protocol.UNKNOWN;
        }
        if (startsWith(wire, at, "CSP/")) {
            return Protocol.CSP;
        }
        if (startsWith(wire, at, "SLIP v") || isSlipStart(wire, at)) {
            return Protocol.SLIP;
        }
        if (wire[at] == '{' && isSubitObject(wire, at)) {
            return Protocol.SUBIT;
        }
        if (LAMBDA_STARTS.indexOf(wire[at]) >= 0 || hasLambdaPrefix(wire, at)) {
            return Protocol.LAMBDA;
        }
        return Protocol.UNKNOWN;
    }

    private static int startOfText(byte[] wire) {
        int at = Utf8.startsWithMark(wire) ? Utf8.MARK_LENGTH : 0;
        while (at < wire.length && isSpace(wire[at])) {
            at++;
        }
        return at;
    }

    /** Whether "@a" and base62 digits up to the first separator or end mark start here. */
    private static boolean isSlipStart(byte[] wire, int start) {
        if (!startsWith(wire, start, "@a")) {
            return false;
        }
        for (int at = start + 2; at < wire.length; at++) {
            if (wire[at] == '|' || wire[at] == '#') {
                return true;
            }
            if (!isBase62(wire[at])) {
                return false;
            }
        }
        return false;
    }

    /**
     * Whether "type" or "payload" is a key of the JSON object that starts here; a truncated object is scanned to its
     * end.
     */
    private static boolean isSubitObject(byte[] wire, int start) {
        int depth = 0;
        int at = start;
        while (at < wire.length) {
            byte b = wire[at];
            if (b == '"') {
                int end = endOfString(wire, at);
                if (depth == 1 && (isKey(wire, at, end, "\"type\"") || isKey(wire, at, end, "\"payload\""))) {
                    return true;
                }
                at = end;
            } else {
                if (b == '{' || b == '[') {
                    depth++;
                } else if ((b == '}' || b == ']') && --depth == 0) {
                    return false;
                }
                at++;
            }
        }
        return false;
    }

    private static int endOfString(byte[] wire, int quote) {
        int at = quote + 1;
        while (at < wire.length && wire[at] != '"') {
            at += wire[at] == '\\' ? 2 : 1;
        }
        return Math.min(at + 1, wire.length);
    }

    /** Whether a quoted string, including its quotes, equals this one and a colon follows. */
    private static boolean isKey(byte[] wire, int from, int end, String quoted) {
        if (!startsWith(wire, from, quoted)) {
            return false;
        }
        int at = end;
        while (at < wire.length && isSpace(wire[at])) {
            at++;
        }
        return at < wire.length && wire[at] == ':';
    }

    /** Whether a trust prefix, a relay "A1>A2:", or a transcript's label "A: " precedes a message type. */
    private static boolean hasLambdaPrefix(byte[] wire, int start) {
        if (startsWith(wire, start, "pub:") || startsWith(wire, start, "prv:") || startsWith(wire, start, "sig:")) {
            return true;
        }
        int at = endOfAgent(wire, start);
        if (at == start || at == wire.length) {
            return false;
        }
        if (wire[at] == ':') {
            return isLabelBeforeType(wire, at);
        }
        while (at < wire.length && wire[at] == '>') {
            int next = endOfAgent(wire, at + 1);
            if (next == at + 1) {
                return false;
            }
            at = next;
            if (at < wire.length && wire[at] == ':') {
                return true;
            }
        }
        return false;
    }

    private static boolean isLabelBeforeType(byte[] wire, int colon) {
        int at = colon + 1;
        if (wire[colon - 1] == '*' || at == wire.length || wire[at] != ' ') {
            return false;
        }
        while (at < wire.length && isSpace(wire[at])) {
            at++;
        }
        return at < wire.length && LAMBDA_TYPES.indexOf(wire[at]) >= 0;
    }

    /**
     * The end of an agent ID that starts here: an upper-case letter, then letters, digits or underscores, and an
     * optional star; or a star.
     */
    private static int endOfAgent(byte[] wire, int start) {
        int at = start;
        if (at < wire.length && wire[at] >= 'A' && wire[at] <= 'Z') {
            at++;
            while (at < wire.length && (isBase62(wire[at]) || wire[at] == '_')) {
                at++;
            }
        }
        if (at < wire.length && wire[at] == '*') {
            at++;
        }
        return at;
    }

    private static boolean startsWith(byte[] wire, int from, String ascii) {
        if (wire.length - from < ascii.length()) {
            return false;
        }
        for (int i = 0; i < ascii.length(); i++) {
            if (wire[from + i] != ascii.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isBase62(byte b) {
        return (b >= '0' && b <= '9') || (b >= 'A' && b <= 'Z') || (b >= 'a' && b <= 'z');
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\t' || b == '\n' || b == '\r';
    }
}
