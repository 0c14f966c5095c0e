package dev.parley.codec.csp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.parley.avro.CspMessage;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** The keys that the document defines for body blocks (CSP v1 "INTENT TYPES"), with their record fields. */
@SuppressWarnings("ImmutableEnumChecker") // The arrays are never modified.
enum CspKey {
    // TASK
    REQ(CspMessage::getRequest, CspMessage::setRequest),
    IN(CspMessage::getScope, CspMessage::setScope),
    OUT(CspMessage::getOutput, CspMessage::setOutput),
    OWNER(CspMessage::getOwner, CspMessage::setOwner),
    PRIORITY(CspMessage::getPriority, CspMessage::setPriority, "P1", "P2", "P3"),
    // RESULT
    STATUS(CspMessage::getStatus, CspMessage::setStatus, "OK", "PARTIAL", "FAIL"),
    PRODUCED(CspMessage::getProduced, CspMessage::setProduced),
    DATA(CspMessage::getData, CspMessage::setData),
    // ERROR
    AT(CspMessage::getErrorAt, CspMessage::setErrorAt),
    CAUSE(CspMessage::getCause, CspMessage::setCause),
    NEXT(CspMessage::getNextAction, CspMessage::setNextAction),
    // PATCH; FILEOP also has BASE
    BASE(CspMessage::getBase, CspMessage::setBase),
    APPLY(CspMessage::getTarget, CspMessage::setTarget),
    // FILEOP
    PATH(CspMessage::getPath, CspMessage::setPath),
    CONTENT(CspMessage::getContent, CspMessage::setContent);

    private final Function<CspMessage, String> getter;
    private final BiConsumer<CspMessage, String> setter;
    private final List<String> values;
    private final long packed = CspBytes.packed(name());
    private final byte[] line = ("\n" + name()).getBytes(US_ASCII);
    private final String missing = "The block must contain " + name() + ".";

    CspKey(Function<CspMessage, String> getter, BiConsumer<CspMessage, String> setter, String... values) {
        this.getter = getter;
        this.setter = setter;
        this.values = List.of(values);
    }

    /** Number of keys that have a value in a message. */
    static int count(CspMessage message) {
        return one(message.getRequest())
                + one(message.getScope())
                + one(message.getOutput())
                + one(message.getOwner())
                + one(message.getPriority())
                + one(message.getStatus())
                + one(message.getProduced())
                + one(message.getData())
                + one(message.getErrorAt())
                + one(message.getCause())
                + one(message.getNextAction())
                + one(message.getBase())
                + one(message.getTarget())
                + one(message.getPath())
                + one(message.getContent());
    }

    private static int one(String value) {
        return value == null ? 0 : 1;
    }

    /** The value in a message; null if the key is absent. */
    String get(CspMessage message) {
        return getter.apply(message);
    }

    /** Puts a value into a message. */
    void set(CspMessage message, String value) {
        setter.accept(message, value);
    }

    /** Whether the document allows the value; true if it lists none. */
    boolean allows(String value) {
        return values.isEmpty() || values.contains(value);
    }

    /** Whether the value of this key extends to the end of the message. */
    boolean isLast() {
        return this == DATA || this == CONTENT;
    }

    /** The key in the form of {@link CspLines#word}. */
    long packed() {
        return packed;
    }

    /** A line feed and the key; must not be modified. */
    byte[] line() {
        return line;
    }

    /** The error detail for this missing key. */
    String missing() {
        return missing;
    }
}
