package dev.parley.codec.lambda;

import dev.parley.avro.LambdaMessage;
import dev.parley.avro.LambdaStatement;
import dev.parley.codec.Code;
import dev.parley.codec.Diagnostics;

/**
 * The checksum {@code [nN]} of a message: the number of characters of its statements in canonical form
 * (docs/protocols.md L1).
 */
final class Checksum {

    private Checksum() {}

    /**
     * Compares the checksum of a message with its statements.
     *
     * @param at offset of the checksum
     */
    static void check(LambdaMessage message, int at, Diagnostics diagnostics) {
        int counted = message.getChecksum();
        int all = CanonicalWriter.characters(message.getStatements());
        if (counted == all) {
            return;
        }
        int types = 0;
        for (LambdaStatement statement : message.getStatements()) {
            types += CanonicalWriter.symbol(statement.getKind()).length();
        }
        if (counted == all - types) {
            diagnostics.value(
                    Code.LAMBDA_CHECKSUM_BODY_ONLY,
                    at,
                    "The checksum must cover the type too: " + all + " characters.");
        } else {
            diagnostics.violate(Code.LAMBDA_CHECKSUM);
        }
    }
}
