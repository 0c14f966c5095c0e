package dev.parley.codec.csp;

import dev.parley.avro.CspMessage;

/** Builds an ERROR; see {@link CspMessages}. */
public final class CspErrorBuilder extends CspBuilder<CspErrorBuilder> {

    CspErrorBuilder(CspMessage message, String at) {
        super(message);
        set(CspKey.AT, at);
    }

    /** CAUSE: the reason. */
    public CspErrorBuilder cause(String cause) {
        return set(CspKey.CAUSE, cause);
    }

    /** NEXT: the action to take. */
    public CspErrorBuilder next(String action) {
        return set(CspKey.NEXT, action);
    }

    @Override
    CspErrorBuilder self() {
        return this;
    }
}
