package dev.parley.codec.lambda;

import dev.parley.codec.Ascii;

/** Detects Λ messages by what may precede their first statement. */
final class LambdaDetection {
    private LambdaDetection() {}

    /** Whether a message may start here. */
    static boolean isMessage(byte[] wire, int from) {
        return Alphabet.isType(wire[from]) || "{-[|".indexOf(wire[from]) >= 0 || hasPrefix(wire, from);
    }

    /** A trust prefix, a relay "A1>A2:", or a transcript's label "A: " before a message type. */
    private static boolean hasPrefix(byte[] wire, int from) {
        if (Ascii.startsWith(wire, from, "pub:")
                || Ascii.startsWith(wire, from, "prv:")
                || Ascii.startsWith(wire, from, "sig:")) {
            return true;
        }
        int at = Alphabet.agentEnd(wire, from, wire.length);
        if (is(wire, at, ':')) {
            return isLabelBeforeType(wire, at);
        }
        while (is(wire, at, '>')) {
            at = Alphabet.agentEnd(wire, at + 1, wire.length);
            if (is(wire, at, ':')) {
                return true;
            }
        }
        return false;
    }

    private static boolean is(byte[] wire, int at, char character) {
        return at >= 0 && at < wire.length && wire[at] == character;
    }

    private static boolean isLabelBeforeType(byte[] wire, int colon) {
        int at = colon + 1;
        if (wire[colon - 1] == '*' || at == wire.length || wire[at] != ' ') {
            return false;
        }
        at = Ascii.skipSpaces(wire, at);
        return at < wire.length && Alphabet.isType(wire[at]);
    }
}
