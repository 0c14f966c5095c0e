package dev.parley.codec.subit;

import dev.parley.avro.SubitType;
import dev.parley.codec.Code;
import java.util.Optional;

/** Allowed numbers of forms by type (SUBIT-Agent v1.0 §3, §4, §6.2; docs/protocols.md 2.3, U1 to U6). */
final class SubitForms {

    /** Bits of a form. */
    static final int BITS = 6;

    /** Maximum number of forms of an INTENT without a warning. */
    static final int MAX_SHORT_INTENT = 8;

    private SubitForms() {}

    /** The error if the type does not allow this number of forms. */
    static Optional<Code> error(SubitType type, int forms) {
        return switch (type) {
            case STATE -> unless(forms == 1, Code.SUBIT_STATE_LENGTH);
            case INTENT -> unless(forms >= 2, Code.SUBIT_INTENT_LENGTH);
            case ACTION -> unless(forms == 2, Code.SUBIT_ACTION_LENGTH);
            case PLAN -> unless(forms >= 3, Code.SUBIT_PLAN_TOO_SHORT);
            case TRACE -> unless(forms >= 2, Code.SUBIT_TRACE_LENGTH);
            case ERROR -> unless(forms == 1 || forms == 2, Code.SUBIT_ERROR_LENGTH);
            case UNKNOWN -> Optional.of(Code.SUBIT_UNKNOWN_TYPE);
        };
    }

    private static Optional<Code> unless(boolean allowed, Code code) {
        return allowed ? Optional.empty() : Optional.of(code);
    }
}
