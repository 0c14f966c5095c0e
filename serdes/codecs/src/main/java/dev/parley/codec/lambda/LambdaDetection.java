package dev.parley.codec.lambda;

import dev.parley.codec.Ascii;

/** Detects Λ messages by what may precede their first statement. */
final class LambdaDetection {
    private static final String STARTS = "?!.~><#@{-[|";
    private static final String TYPES = "?!.~><#@";

    private LambdaDetection() {}

    /** Whether a message may start here. */
    static boolean isMessage(byte[] wire, int from) {
        return STARTS.indexOf(wire[from]) >= 0 || hasPrefix(wire, from);
    }

    /** A trust prefix, a relay "A1>A2:", or a transcript's label "A: " before a message type. */
    private static boolean hasPrefix(byte[] wire, int from) {
        if (Ascii.startsWith(wire, from, "pub:")
                || Ascii.startsWith(wire, from, "prv:")
                || Ascii.startsWith(wire, from, "sig:")) {
            return true;
        }
        int at = endOfAgent(wire, from);
        if (at == from || at == wire.length) {
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
        at = Ascii.skipSpaces(wire, at);
        return at < wire.length && TYPES.indexOf(wire[at]) >= 0;
    }

    /**
     * The end of an agent ID that starts here: an upper-case letter, letters, digits or underscores, perhaps a star; or
     * a star.
     */
    private static int endOfAgent(byte[] wire, int from) {
        int at = from;
        if (at < wire.length && wire[at] >= 'A' && wire[at] <= 'Z') {
            at++;
            while (at < wire.length && (Ascii.isAlphanumeric(wire[at]) || wire[at] == '_')) {
                at++;
            }
        }
        if (at < wire.length && wire[at] == '*') {
            at++;
        }
        return at;
    }
}
