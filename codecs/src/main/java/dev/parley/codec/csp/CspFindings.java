package dev.parley.codec.csp;

import dev.parley.avro.CspMessage;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Warnings;
import java.util.List;

/** What a decoder found wrong with one message, and which of several faults is the one to report. */
final class CspFindings {

    /** The classes of faults in the order in which they are reported; within one class the leftmost comes first. */
    enum Rank {
        /** The text does not read as lines of CSP/1. Nothing after it is looked at. */
        LEXICAL,
        /** Something stands twice. */
        DUPLICATE,
        /** Something is not what its place asks for. */
        VALUE,
        /** Something is not there. */
        MISSING,
        /** A header line that belongs to nothing: most often a misspelt key, and then the missing key says more. */
        STRAY
    }

    /** A fault, and the index of the first byte that was not read when it was noted. */
    private record Fault(Code code, int offset, int read, String detail) {}

    private static final Rank[] RANKS = Rank.values();

    private final CspLines lines;
    private final boolean strict;
    private Warnings warnings;
    private Warnings violations;
    private Fault[] faults;

    CspFindings(CspLines lines, boolean strict) {
        this.lines = lines;
        this.strict = strict;
    }

    /** Notes a fault, or a departure from form that is one under the strict profile. */
    void note(Rank rank, Code code, int offset, String detail) {
        if (code.kind() != Code.Kind.MALFORMED && !(strict && code.kind() == Code.Kind.FORM_WARNING)) {
            warn(code);
            return;
        }
        if (faults == null) {
            faults = new Fault[RANKS.length];
        }
        Fault known = faults[rank.ordinal()];
        if (known == null || offset < known.offset()) {
            faults[rank.ordinal()] = new Fault(code, offset, lines.nextStart(), detail);
        }
    }

    /** Adds a warning that is one under both profiles. */
    void warn(Code code) {
        if (warnings == null) {
            warnings = new Warnings();
        }
        warnings.add(code);
    }

    /** Adds what makes the message illegal wherever it stands. */
    void violate(Code code) {
        if (violations == null) {
            violations = new Warnings();
        }
        violations.add(code);
    }

    /** Whether a lexical fault was found, so that the rest of the message need not be read. */
    boolean stopped() {
        return faults != null && faults[Rank.LEXICAL.ordinal()] != null;
    }

    /** Notes the first byte that is not UTF-8, unless a lexical fault ended the reading before the line of that byte. */
    void badUtf8(int offset) {
        if (stopped() && faults[Rank.LEXICAL.ordinal()].read() <= offset) {
            return;
        }
        if (faults == null) {
            faults = new Fault[RANKS.length];
        }
        faults[Rank.LEXICAL.ordinal()] = new Fault(
                Code.CSP_BAD_UTF8, offset, offset, "The byte at this offset does not belong to a UTF-8 character.");
    }

    DecodeResult<CspMessage> result(CspMessage message) {
        if (faults != null) {
            for (Fault fault : faults) {
                if (fault != null) {
                    return new DecodeResult.Malformed<>(fault.code(), fault.offset(), fault.detail());
                }
            }
        }
        return new DecodeResult.Decoded<>(message, codes(warnings), codes(violations));
    }

    private static List<Code> codes(Warnings found) {
        return found == null ? List.of() : found.codes();
    }
}
