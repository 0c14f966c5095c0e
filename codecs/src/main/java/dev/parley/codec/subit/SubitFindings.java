package dev.parley.codec.subit;

import dev.parley.avro.SubitMessage;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.Warnings;
import java.util.List;

/** What is wrong with the meaning of one packet: the first fault, and the warnings in the order found. */
final class SubitFindings {
    private final boolean strict;
    private Warnings warnings;
    private Malformed<SubitMessage> fault;

    SubitFindings(boolean strict) {
        this.strict = strict;
    }

    /** Notes a fault in the meaning; the first one counts, unless a lexical fault or a duplicate is found later. */
    void fault(Code code, int at, String detail) {
        if (fault == null) {
            fault = new Malformed<>(code, at, detail);
        }
    }

    /** Notes a departure from form, which the strict profile makes a fault. */
    void departure(Code code, int at, String detail) {
        if (strict) {
            fault(code, at, detail);
        } else {
            warn(code);
        }
    }

    /** Notes what is worth knowing under both profiles. */
    void warn(Code code) {
        if (warnings == null) {
            warnings = new Warnings();
        }
        warnings.add(code);
    }

    /** The first fault, or null. */
    Malformed<SubitMessage> fault() {
        return fault;
    }

    /** The warnings so far. */
    List<Code> warnings() {
        return warnings == null ? List.of() : warnings.codes();
    }
}
