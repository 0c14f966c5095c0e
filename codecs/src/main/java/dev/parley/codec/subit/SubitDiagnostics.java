package dev.parley.codec.subit;

import dev.parley.avro.SubitMessage;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Warnings;
import java.util.List;

/** Collects the semantic errors of one packet, of which the first counts, and its warnings in order. */
final class SubitDiagnostics {
    private final boolean strict;
    private Warnings warnings;
    private Malformed<SubitMessage> error;

    SubitDiagnostics(boolean strict) {
        this.strict = strict;
    }

    /** Adds a semantic error. The first one counts, unless a later lexical error or repeated key takes precedence. */
    void error(Code code, int at, String detail) {
        if (error == null) {
            error = new Malformed<>(code, at, detail);
        }
    }

    /** Adds a format warning, which is an error under the strict profile. */
    void departure(Code code, int at, String detail) {
        if (strict) {
            error(code, at, detail);
        } else {
            warn(code);
        }
    }

    /** Adds a warning of both profiles. */
    void warn(Code code) {
        if (warnings == null) {
            warnings = new Warnings();
        }
        warnings.add(code);
    }

    /** The first error, or null. */
    Malformed<SubitMessage> error() {
        return error;
    }

    /** The warnings so far. */
    List<Code> warnings() {
        return warnings == null ? List.of() : warnings.codes();
    }
}
