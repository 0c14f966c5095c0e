package dev.parley.codec.lambda;

import dev.parley.codec.Code;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.DecodeResult.Decoded;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Warnings;
import java.util.List;

/**
 * Collects the errors and warnings of one message. The reported error is the first by phase, then by position
 * (docs/protocols.md 5, order of decode errors). Under the strict profile, a format warning is an error.
 */
final class LambdaDiagnostics {

    /** Precedence of errors: lexical ones come before all others. */
    enum Phase {
        LEXICAL,
        DUPLICATE,
        VALUE,
        MISSING
    }

    private final boolean strict;
    private Warnings warnings;
    private Warnings violations;
    private Phase phase;
    private Code code;
    private int offset;
    private String detail;

    LambdaDiagnostics(boolean strict) {
        this.strict = strict;
    }

    void error(Phase foundIn, Code found, int at, String sentence) {
        if (phase == null || foundIn.compareTo(phase) < 0 || (foundIn == phase && at < offset)) {
            phase = foundIn;
            code = found;
            offset = at;
            detail = sentence;
        }
    }

    void warning(Phase foundIn, Code found, int at, String sentence) {
        if (strict && found.kind() == Code.Kind.FORM_WARNING) {
            error(foundIn, found, at, sentence);
        } else {
            warnings = with(found, warnings);
        }
    }

    void violation(Code found) {
        violations = with(found, violations);
    }

    /** The result of decoding: the error to report, or else the message with its warnings and violations. */
    <M> DecodeResult<M> result(M message) {
        return phase == null
                ? new Decoded<>(message, codes(warnings), codes(violations))
                : new Malformed<>(code, offset, detail);
    }

    private static Warnings with(Code code, Warnings before) {
        Warnings codes = before == null ? new Warnings() : before;
        codes.add(code);
        return codes;
    }

    private static List<Code> codes(Warnings codes) {
        return codes == null ? List.of() : codes.codes();
    }
}
