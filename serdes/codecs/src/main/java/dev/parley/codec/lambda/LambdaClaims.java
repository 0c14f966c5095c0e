package dev.parley.codec.lambda;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.parley.codec.Ascii;
import dev.parley.codec.ClaimedNames;

/** Reads the sender of a malformed message: a transcript's label "A: " at its start. */
final class LambdaClaims {
    private LambdaClaims() {}

    static ClaimedNames of(byte[] wire) {
        int end = ClaimedNames.end(wire);
        int start = Ascii.skipSpaces(wire, 0);
        int colon = Alphabet.agentEnd(wire, start, end);
        boolean isLabel = colon > start
                && colon + 1 < end
                && wire[colon] == ':'
                && wire[colon + 1] == ' '
                && wire[colon - 1] != '*';
        return isLabel
                ? new ClaimedNames(null, null, new String(wire, start, colon - start, US_ASCII))
                : ClaimedNames.NONE;
    }
}
