package dev.parley.codec.csp;

import dev.parley.avro.CspMessage;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Warnings;
import java.util.List;

/** Collects the errors of one message, and selects the one to report. */
final class CspDiagnostics {

    /** Classes of errors in the order of precedence; within one class, the leftmost error takes precedence. */
    enum Rank {
        /** The text does not consist of lines of CSP/1. The decoder stops there. */
        LEXICAL,
        /** A key or header is repeated. */
        DUPLICATE,
        /** A value is invalid. */
        VALUE,
        /** A required part is missing. */
        MISSING,
        /**
         * A header line is neither a key nor the block: often a misspelled key, for which the missing key is the better
         * error.
         */
        STRAY
    }

    /** An error, and the index of the first unread byte at that time. */
    private record DecodeError(Code code, int offset, int read, String detail) {}

    private static final Rank[] RANKS = Rank.values();

    private final CspLines lines;
    private final boolean strict;
    private Warnings warnings;
    private Warnings violations;
    private DecodeError[] errors;

    CspDiagnostics(CspLines lines, boolean strict) {
        this.lines = lines;
        this.strict = strict;
    }

    /** Adds an error, or a format warning that is an error under the strict profile. */
    void note(Rank rank, Code code, int offset, String detail) {
        if (code.kind() != Code.Kind.MALFORMED && !(strict && code.kind() == Code.Kind.FORM_WARNING)) {
            warn(code);
            return;
        }
        if (errors == null) {
            errors = new DecodeError[RANKS.length];
        }
        DecodeError known = errors[rank.ordinal()];
        if (known == null || offset < known.offset()) {
            errors[rank.ordinal()] = new DecodeError(code, offset, lines.nextStart(), detail);
        }
    }

    /** Adds a warning of both profiles. */
    void warn(Code code) {
        if (warnings == null) {
            warnings = new Warnings();
        }
        warnings.add(code);
    }

    /** Adds a violation in every dialogue state. */
    void violate(Code code) {
        if (violations == null) {
            violations = new Warnings();
        }
        violations.add(code);
    }

    /** Whether there is a lexical error, so that the rest of the message need not be read. */
    boolean stopped() {
        return errors != null && errors[Rank.LEXICAL.ordinal()] != null;
    }

    /** Adds the first byte that is not UTF-8, unless reading stopped before its line because of a lexical error. */
    void badUtf8(int offset) {
        if (stopped() && errors[Rank.LEXICAL.ordinal()].read() <= offset) {
            return;
        }
        if (errors == null) {
            errors = new DecodeError[RANKS.length];
        }
        errors[Rank.LEXICAL.ordinal()] =
                new DecodeError(Code.CSP_BAD_UTF8, offset, offset, "The byte at this offset is not valid UTF-8.");
    }

    DecodeResult<CspMessage> result(CspMessage message) {
        if (errors != null) {
            for (DecodeError error : errors) {
                if (error != null) {
                    return new DecodeResult.Malformed<>(error.code(), error.offset(), error.detail());
                }
            }
        }
        return new DecodeResult.Decoded<>(message, codes(warnings), codes(violations));
    }

    private static List<Code> codes(Warnings found) {
        return found == null ? List.of() : found.codes();
    }
}
