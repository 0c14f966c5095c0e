package dev.parley.codec.subit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.codec.Ascii;
import dev.parley.codec.ClaimedNames;

/**
 * Reads session and agent of a malformed packet: the values of the first such keys after the key "meta", in any case
 * and between quotes of any kind.
 */
final class SubitClaims {
    private final byte[] wire;
    private final int end;

    private SubitClaims(byte[] wire) {
        this.wire = wire;
        this.end = ClaimedNames.end(wire);
    }

    static ClaimedNames of(byte[] wire) {
        SubitClaims claims = new SubitClaims(wire);
        int meta = claims.afterKey(0, "meta");
        return meta < 0
                ? ClaimedNames.NONE
                : new ClaimedNames(claims.value(meta, "session"), claims.value(meta, "agent"), null);
    }

    /** Returns the string at a key; null if it is absent, empty, escaped or not closed. */
    private String value(int from, String key) {
        int open = afterKey(from, key);
        int start = open < 0 ? open : open + quoteLength(open);
        if (start <= open) {
            return null;
        }
        int at = start;
        while (at < end && quoteLength(at) == 0 && wire[at] != '\\') {
            at++;
        }
        return at == start || at >= end || wire[at] == '\\' ? null : new String(wire, start, at - start, UTF_8);
    }

    /** Returns the index of the value of a key in quotes; -1 if there is none. */
    private int afterKey(int from, String key) {
        for (int at = from; at < end; at++) {
            int quote = quoteLength(at);
            if (quote > 0 && isWord(at + quote, key)) {
                int closing = at + quote + key.length();
                int colon = Ascii.skipSpaces(wire, closing + quoteLength(closing));
                if (colon > closing && colon < end && wire[colon] == ':') {
                    return Ascii.skipSpaces(wire, colon + 1);
                }
            }
        }
        return -1;
    }

    private boolean isWord(int from, String word) {
        for (int i = 0; i < word.length(); i++) {
            if (from + i >= end || (wire[from + i] | 0x20) != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the number of bytes of a quote, straight or typographic; 0 if there is none. */
    private int quoteLength(int at) {
        if (at >= end) {
            return 0;
        }
        if (wire[at] == '"' || wire[at] == '\'') {
            return 1;
        }
        // U+2018 to U+201D.
        boolean isTypographic = at + 2 < end
                && wire[at] == (byte) 0xE2
                && wire[at + 1] == (byte) 0x80
                && wire[at + 2] >= (byte) 0x98
                && wire[at + 2] <= (byte) 0x9D;
        return isTypographic ? 3 : 0;
    }
}
