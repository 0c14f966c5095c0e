package dev.parley.diagnosis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.parley.codec.lambda.Alphabet;
import dev.parley.decode.ClaimedNames;
import dev.parley.decode.WireProtocols;

/** Reads the sender of a malformed message: a transcript's label "A: " at its start that names an agent. */
final class LambdaClaims {
    private LambdaClaims() {}

    static ClaimedNames of(byte[] wire) {
        int start = WireProtocols.start(wire);
        int colon = Alphabet.labelEnd(wire, start);
        if (colon < 0 || colon >= ClaimedNames.end(wire)) {
            return ClaimedNames.NONE;
        }
        String label = new String(wire, start, colon - start, US_ASCII);
        return Alphabet.isAgent(label) ? new ClaimedNames(null, null, label) : ClaimedNames.NONE;
    }
}
