package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.codec.Ascii;
import dev.parley.decode.ClaimedNames;

/**
 * Reads session and agent of a malformed packet: the values of the first such keys after the key "meta", in any case,
 * between quotes of any kind, which may be escaped. The keys may lack quotes.
 */
final class SubitClaims {
    private final byte[] wire;
    private final int end;
    private final boolean escaped;

    private SubitClaims(byte[] wire) {
        this.wire = wire;
        this.end = ClaimedNames.end(wire);
        this.escaped = SubitAttempt.isEscaped(wire, Ascii.skipSpaces(wire, 0));
    }

    static ClaimedNames of(byte[] wire) {
        SubitClaims claims = new SubitClaims(wire);
        int meta = SubitAttempt.valueOf(wire, 0, claims.end, "meta", claims.escaped);
        return new ClaimedNames(claims.value(meta, "session"), claims.value(meta, "agent"), null);
    }

    /** Returns the string at a key; null if it is absent, empty, not closed, or has escapes between its quotes. */
    private String value(int from, String key) {
        int value = SubitAttempt.valueOf(wire, from, end, key, escaped);
        int open = escaped && value < end && wire[value] == '\\' ? value + 1 : value;
        int start = open + quoteLength(open);
        int at = start;
        while (at < end && wire[at] != '\\' && (wire[at] != wire[open] || quoteLength(at) == 0)) {
            at++;
        }
        int close = open > value && at < end && wire[at] == '\\' ? at + 1 : at;
        boolean isClosed = close - at == open - value && close < end && wire[close] == wire[open];
        return open < start && start < at && isClosed ? new String(wire, start, at - start, UTF_8) : null;
    }

    /** Returns the number of bytes of a quote, straight or typographic; 0 if there is none. */
    private int quoteLength(int at) {
        if (at < end && "\"'`".indexOf(wire[at]) >= 0) {
            return 1;
        }
        // U+2018 to U+201F.
        boolean isTypographic =
                at + 2 < end && wire[at] == (byte) 0xE2 && wire[at + 1] == (byte) 0x80 && (wire[at + 2] & 0xF8) == 0x98;
        return isTypographic ? 3 : 0;
    }
}
