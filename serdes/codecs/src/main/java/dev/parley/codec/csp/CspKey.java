package dev.parley.codec.csp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.parley.avro.CspMessage;
import dev.parley.codec.Code;
import dev.parley.codec.Placeholder;
import java.util.List;

/** The keys that the document defines for body blocks (CSP v1 "INTENT TYPES"), with their record fields. */
@SuppressWarnings("ImmutableEnumChecker") // The arrays are never modified.
enum CspKey {
    // TASK
    REQ("request"),
    IN("scope"),
    OUT("output"),
    OWNER("owner"),
    PRIORITY("priority", "P1", "P2", "P3"),
    // RESULT
    STATUS("status", "OK", "PARTIAL", "FAIL"),
    PRODUCED("produced"),
    DATA("data"),
    // ERROR
    AT("errorAt"),
    CAUSE("cause"),
    NEXT("nextAction"),
    // PATCH; FILEOP also has BASE
    BASE("base"),
    APPLY("target"),
    // FILEOP
    PATH("path"),
    CONTENT("content");

    private static final CspKey[] ALL = values();

    private final int position;
    private final List<String> values;
    private final long packed = CspBytes.packed(name());
    private final byte[] line = ("\n" + name()).getBytes(US_ASCII);
    private final String missing = "The block must contain " + name() + ".";
    private final String choices;

    CspKey(String field, String... values) {
        this.position = CspMessage.getClassSchema().getField(field).pos();
        this.values = List.of(values);
        this.choices = String.join("|", values);
    }

    /** Number of keys that have a value in a message. */
    static int count(CspMessage message) {
        int count = 0;
        for (CspKey key : ALL) {
            count += message.get(key.position) == null ? 0 : 1;
        }
        return count;
    }

    /** Whether this is the packed form of a key whose value {@link #isOneLine}. */
    static boolean isOneLine(long packed) {
        for (CspKey key : ALL) {
            if (key.packed == packed) {
                return key.isOneLine();
            }
        }
        return false;
    }

    /** The value in a message; null if the key is absent. */
    String get(CspMessage message) {
        return (String) message.get(position);
    }

    /** Puts a value into a message. */
    void set(CspMessage message, String value) {
        message.put(position, value);
    }

    /** Whether the document allows the value; true if it lists none. */
    boolean allows(String value) {
        return values.isEmpty() || values.contains(value);
    }

    /**
     * The code of what is wrong with a value by itself: a placeholder, a colon or an equals sign instead of a space
     * before it, or not the one name that it must be. The content of a file may have any form.
     *
     * @return null if nothing is
     */
    Code invalid(String value) {
        if (this == CONTENT || value.isEmpty()) {
            return null;
        }
        char first = value.charAt(0);
        boolean isChoice = value.length() == choices.length() && value.equals(choices);
        if (isChoice || (first == '<' || this != DATA) && Placeholder.is(value)) {
            return Code.CSP_TEMPLATE;
        }
        boolean isSeparated = first == ':' || first == '=';
        if (isSeparated && (isOneLine() || value.length() == 1 || value.charAt(1) <= ' ')) {
            return Code.CSP_MALFORMED;
        }
        boolean isDoubtful = isName() && (CspNameCheck.isDoubtful(value) || this != OWNER && value.indexOf(' ') >= 0);
        return isDoubtful ? Code.CSP_NAME : null;
    }

    /** The error detail of {@link #invalid}. */
    String detail(Code invalid) {
        return switch (invalid) {
            case CSP_TEMPLATE -> Placeholder.DETAIL;
            case CSP_NAME -> CspNameCheck.DETAIL;
            default -> misplaced();
        };
    }

    /** Whether the value of this key extends to the end of the message. */
    boolean isLast() {
        return this == DATA || this == CONTENT;
    }

    /** Whether a value is the name of an agent, or of a task, checkpoint or hash, which is one word. */
    private boolean isName() {
        return this == OWNER || this == AT || this == BASE || this == APPLY;
    }

    /** Whether a value cannot continue on further lines: one name or word in the document. */
    boolean isOneLine() {
        return isName() || this == STATUS || this == PRIORITY || this == PATH;
    }

    /** The key in the form of {@link CspLines#word}. */
    long packed() {
        return packed;
    }

    /** A line feed and the key; must not be modified. */
    byte[] line() {
        return line;
    }

    /** The error detail for this key at another place, or in another case or notation. */
    String misplaced() {
        return name() + " must be in upper case at the start of a line of its own, and a space must follow it.";
    }

    /** The error detail for this missing key. */
    String missing() {
        return missing;
    }
}
