package dev.parley.codec.lambda;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.parley.codec.ClaimedNames;

/** Reads the sender of a malformed message: a transcript's label "A: " at its start, unless it is a trust prefix. */
final class LambdaClaims {
    private LambdaClaims() {}

    static ClaimedNames of(byte[] wire) {
        int start = LambdaDecoder.labelAt(wire);
        int colon = LambdaDecoder.labelEnd(wire, start);
        return colon < 0 || colon >= ClaimedNames.end(wire) || LambdaNearMiss.isTrust(wire, start, colon)
                ? ClaimedNames.NONE
                : new ClaimedNames(null, null, new String(wire, start, colon - start, US_ASCII));
    }
}
