package dev.parley.codec.csp;

import dev.parley.avro.CspMessage;

/** Builds a TASK; see {@link CspMessages}. */
public final class CspTaskBuilder extends CspBuilder<CspTaskBuilder> {

    CspTaskBuilder(CspMessage message, String request) {
        super(message);
        CspText.require(!request.isEmpty(), "REQ", "must not be empty");
        set(CspKey.REQ, request);
    }

    /** IN: the subject of the task, often a comma-separated list of definitions. */
    public CspTaskBuilder scope(String scope) {
        return set(CspKey.IN, scope);
    }

    /** OUT: the type of the expected output. */
    public CspTaskBuilder output(String output) {
        return set(CspKey.OUT, output);
    }

    /** OWNER: the agent responsible for the task. */
    public CspTaskBuilder owner(String owner) {
        return set(CspKey.OWNER, owner);
    }

    /** PRIORITY: P1, P2 or P3. */
    public CspTaskBuilder priority(String priority) {
        CspText.require(CspKey.PRIORITY.allows(priority), "PRIORITY", "must be P1, P2 or P3");
        return set(CspKey.PRIORITY, priority);
    }

    @Override
    CspTaskBuilder self() {
        return this;
    }
}
