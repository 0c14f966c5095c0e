package dev.parley.codec.csp;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.codec.Ascii;
import dev.parley.codec.ClaimedNames;
import java.util.Arrays;

/** Reads the sender of a malformed message: the value of its first line FROM, in any case, indented, or with a colon. */
final class CspClaims {
    private static final String NAME = "CSP/";
    private static final String KEY = "from";

    private CspClaims() {}

    static ClaimedNames of(byte[] wire) {
        int end = ClaimedNames.end(wire);
        CspLines lines = new CspLines(end == wire.length ? wire : Arrays.copyOf(wire, end));
        lines.skipWhiteSpace(start(wire, end));
        while (lines.next()) {
            int key = lines.skipBlanks(lines.start());
            if (isKey(wire, key, lines.end())) {
                int value = key + KEY.length();
                while (value < lines.end() && (CspBytes.isBlank(wire[value]) || wire[value] == ':')) {
                    value++;
                }
                return value == lines.end()
                        ? ClaimedNames.NONE
                        : new ClaimedNames(null, new String(wire, value, lines.end() - value, UTF_8), null);
            }
        }
        return ClaimedNames.NONE;
    }

    /** Returns the index of the protocol's name, because prose before it may begin with "from"; 0 without the name. */
    private static int start(byte[] wire, int end) {
        for (int at = 0; at < end; at++) {
            if (Ascii.startsWith(wire, at, NAME)) {
                return at;
            }
        }
        return 0;
    }

    private static boolean isKey(byte[] wire, int from, int end) {
        int after = from + KEY.length();
        if (after >= end || !CspBytes.isBlank(wire[after]) && wire[after] != ':') {
            return false;
        }
        for (int i = 0; i < KEY.length(); i++) {
            if ((wire[from + i] | 0x20) != KEY.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
