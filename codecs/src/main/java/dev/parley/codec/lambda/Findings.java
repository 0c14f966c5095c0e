package dev.parley.codec.lambda;

import dev.parley.codec.Code;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Warnings;
import java.util.List;

/**
 * What a decoder finds wrong. The fault that decides is the first by phase, then by position (PROTOCOLS §5, order of faults); under the strict
 * profile a form warning is a fault.
 */
final class Findings {

    /** When a fault counts: lexical ones before all others. */
    enum Phase {
        LEXICAL,
        DUPLICATE,
        VALUE,
        MISSING
    }

    private final boolean strict;
    private final Warnings warnings = new Warnings();
    private final Warnings violations = new Warnings();
    private Phase phase;
    private Code code;
    private int offset;
    private String detail;

    Findings(boolean strict) {
        this.strict = strict;
    }

    void fault(Phase foundIn, Code found, int at, String sentence) {
        if (phase == null || foundIn.compareTo(phase) < 0 || (foundIn == phase && at < offset)) {
            phase = foundIn;
            code = found;
            offset = at;
            detail = sentence;
        }
    }

    void warning(Phase foundIn, Code found, int at, String sentence) {
        if (strict && found.kind() == Code.Kind.FORM_WARNING) {
            fault(foundIn, found, at, sentence);
        } else {
            warnings.add(found);
        }
    }

    void violation(Code found) {
        violations.add(found);
    }

    boolean faulty() {
        return phase != null;
    }

    List<Code> warnings() {
        return warnings.codes();
    }

    List<Code> violations() {
        return violations.codes();
    }

    <M> DecodeResult<M> malformed() {
        return new DecodeResult.Malformed<>(code, offset, detail);
    }
}
