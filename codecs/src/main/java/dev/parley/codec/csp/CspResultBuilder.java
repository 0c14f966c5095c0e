package dev.parley.codec.csp;

import dev.parley.avro.CspMessage;

/** Builds a RESULT; see {@link CspMessages}. */
public final class CspResultBuilder extends CspBuilder<CspResultBuilder> {

    CspResultBuilder(CspMessage message, String status) {
        super(message);
        CspText.require(CspKey.STATUS.allows(status), "status", "is none of OK, PARTIAL, FAIL");
        set(CspKey.STATUS, status);
    }

    /** PRODUCED: what came of the task. */
    public CspResultBuilder produced(String produced) {
        return set(CspKey.PRODUCED, produced);
    }

    /** DATA: any text without tabs and carriage returns, and without white space at its ends; it is the last thing in the message. */
    public CspResultBuilder data(String data) {
        message.setData(CspText.data("data", data));
        return this;
    }

    @Override
    CspResultBuilder self() {
        return this;
    }
}
