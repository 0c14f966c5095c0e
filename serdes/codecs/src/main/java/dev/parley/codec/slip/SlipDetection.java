package dev.parley.codec.slip;

import dev.parley.codec.Ascii;

/** Detects nSLIP messages. */
final class SlipDetection {
    private static final String HEADER = "afcSdT";

    private SlipDetection() {}

    /** "SLIP v", "@a" with digits up to a separator or end mark, or another header field up to a separator. */
    static boolean isMessage(byte[] wire, int from) {
        if (wire[from] != '@') {
            return Ascii.startsWith(wire, from, "SLIP v");
        }
        int at = Ascii.wordEnd(wire, from + 2, wire.length);
        if (at >= wire.length || HEADER.indexOf(wire[from + 1]) < 0) {
            return false;
        }
        return wire[from + 1] == 'a' ? SlipScanner.isEnd(wire[at]) : at > from + 2 && wire[at] == '|';
    }
}
