package dev.parley.codec.subit;

import dev.parley.codec.Ascii;

/** Detects SUBIT packets: JSON objects with the key "type" or "payload". Walks to the first such key. */
final class SubitDetection {
    private SubitDetection() {}

    /**
     * Whether "type" or "payload" is a key of a JSON object that starts here; a cut-off object counts as far as it
     * goes.
     */
    static boolean isPacket(byte[] wire, int from) {
        if (wire[from] != '{') {
            return false;
        }
        int depth = 0;
        int at = from;
        while (at < wire.length) {
            byte b = wire[at];
            if (b == '"') {
                int end = Ascii.afterString(wire, at, wire.length);
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

    /** Whether a string in quotes, from its first quote to after its last, is this one and a colon follows. */
    private static boolean isKey(byte[] wire, int from, int end, String quoted) {
        if (!Ascii.startsWith(wire, from, quoted)) {
            return false;
        }
        int at = Ascii.skipSpaces(wire, end);
        return at < wire.length && wire[at] == ':';
    }
}
