package dev.parley.codec.csp;

import dev.parley.avro.CspMessage;

/** Builds a RESULT; see {@link CspMessages}. */
public final class CspResultBuilder extends CspBuilder<CspResultBuilder> {

    CspResultBuilder(CspMessage message, String status) {
        super(message);
        CspText.require(CspKey.STATUS.allows(status), "status", "must be OK, PARTIAL or FAIL");
        set(CspKey.STATUS, status);
    }

    /** PRODUCED: the outcome of the task. */
    public CspResultBuilder produced(String produced) {
        return set(CspKey.PRODUCED, produced);
    }

    /** Sets DATA, the last part of the message: text without tabs, carriage returns, or white space at either end. */
    public CspResultBuilder data(String data) {
        message.setData(CspText.data("data", data));
        return this;
    }

    @Override
    CspResultBuilder self() {
        return this;
    }
}
