package dev.parley.codec.subit;

import dev.parley.codec.Ascii;

/**
 * Detects SUBIT packets: JSON objects whose key "type" has one of the six types, or whose key "payload" has bits. Other
 * JSON objects with these keys, such as CloudEvents, are of another format. Walks to the first such key.
 */
public final class SubitDetection {
    private SubitDetection() {}

    /** Whether a packet starts here; a cut-off object counts as far as it goes. */
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
                if (depth == 1 && isMember(wire, at, end)) {
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

    private static boolean isType(byte[] wire, int at) {
        return at < wire.length
                && switch (wire[at]) {
                    case 'S' -> Ascii.startsWith(wire, at, "STATE\"");
                    case 'I' -> Ascii.startsWith(wire, at, "INTENT\"");
                    case 'A' -> Ascii.startsWith(wire, at, "ACTION\"");
                    case 'P' -> Ascii.startsWith(wire, at, "PLAN\"");
                    case 'T' -> Ascii.startsWith(wire, at, "TRACE\"");
                    case 'E' -> Ascii.startsWith(wire, at, "ERROR\"");
                    default -> false;
                };
    }

    /** Whether a string, from its first quote to after its last, is a key with the value of a packet. */
    public static boolean isMember(byte[] wire, int from, int end) {
        boolean type = Ascii.startsWith(wire, from, "\"type\"");
        if (!type && !Ascii.startsWith(wire, from, "\"payload\"")) {
            return false;
        }
        int at = Ascii.skipSpaces(wire, end);
        if (at == wire.length || wire[at] != ':') {
            return false;
        }
        at = Ascii.skipSpaces(wire, at + 1);
        boolean quoted = at < wire.length && wire[at] == '"';
        if (type) {
            return quoted && isType(wire, at + 1);
        }
        at += quoted ? 1 : 0;
        return at < wire.length && (wire[at] == '0' || wire[at] == '1');
    }
}
