package dev.parley.codec.csp;

import dev.parley.avro.CspMessage;

/** Builds a TASK; see {@link CspMessages}. */
public final class CspTaskBuilder extends CspBuilder<CspTaskBuilder> {

    CspTaskBuilder(CspMessage message, String request) {
        super(message);
        CspText.require(!request.isEmpty(), "REQ", "is empty");
        set(CspKey.REQ, request);
    }

    /** IN: what the task is about, often a comma-separated list of definitions. */
    public CspTaskBuilder scope(String scope) {
        return set(CspKey.IN, scope);
    }

    /** OUT: the type of output that is expected. */
    public CspTaskBuilder output(String output) {
        return set(CspKey.OUT, output);
    }

    /** OWNER: who answers for the task. */
    public CspTaskBuilder owner(String owner) {
        return set(CspKey.OWNER, owner);
    }

    /** PRIORITY: P1, P2 or P3. */
    public CspTaskBuilder priority(String priority) {
        CspText.require(CspKey.PRIORITY.allows(priority), "PRIORITY", "is none of P1, P2, P3");
        return set(CspKey.PRIORITY, priority);
    }

    @Override
    CspTaskBuilder self() {
        return this;
    }
}
