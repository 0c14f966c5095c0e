package dev.parley.codec.csp;

import dev.parley.avro.CspMessage;

/** A key that the grammar of a block defines, and the place of its value in the record. */
enum CspKey {
    REQ,
    IN,
    OUT,
    OWNER,
    PRIORITY,
    STATUS,
    PRODUCED,
    DATA,
    AT,
    CAUSE,
    NEXT,
    BASE,
    APPLY,
    PATH,
    CONTENT;

    private final long packed = CspLines.packed(name());
    private final String missing = "The block has no " + name() + ".";

    /** The key as {@link CspLines#key} gives it. */
    long packed() {
        return packed;
    }

    /** The sentence that says that this key is missing. */
    String missing() {
        return missing;
    }

    /** Whether the value of this key runs to the end of the message, so that nothing can stand after it. */
    boolean isLast() {
        return this == DATA || this == CONTENT;
    }

    /** The value in a message, or null when the key is absent. */
    String get(CspMessage message) {
        return switch (this) {
            case REQ -> message.getRequest();
            case IN -> message.getScope();
            case OUT -> message.getOutput();
            case OWNER -> message.getOwner();
            case PRIORITY -> message.getPriority();
            case STATUS -> message.getStatus();
            case PRODUCED -> message.getProduced();
            case DATA -> message.getData();
            case AT -> message.getErrorAt();
            case CAUSE -> message.getCause();
            case NEXT -> message.getNextAction();
            case BASE -> message.getBase();
            case APPLY -> message.getTarget();
            case PATH -> message.getPath();
            case CONTENT -> message.getContent();
        };
    }

    /** Puts a value into a message. */
    void set(CspMessage message, String value) {
        switch (this) {
            case REQ -> message.setRequest(value);
            case IN -> message.setScope(value);
            case OUT -> message.setOutput(value);
            case OWNER -> message.setOwner(value);
            case PRIORITY -> message.setPriority(value);
            case STATUS -> message.setStatus(value);
            case PRODUCED -> message.setProduced(value);
            case DATA -> message.setData(value);
            case AT -> message.setErrorAt(value);
            case CAUSE -> message.setCause(value);
            case NEXT -> message.setNextAction(value);
            case BASE -> message.setBase(value);
            case APPLY -> message.setTarget(value);
            case PATH -> message.setPath(value);
            case CONTENT -> message.setContent(value);
        }
    }
}
