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
    REQ("request", Code.CSP_MISSING_REQ),
    IN("scope", Code.CSP_MISSING_FIELD),
    OUT("output", Code.CSP_MISSING_FIELD),
    OWNER("owner", Code.CSP_MISSING_FIELD),
    PRIORITY("priority", Code.CSP_MISSING_FIELD, "P1", "P2", "P3"),
    // RESULT
    STATUS("status", Code.CSP_STATUS, "OK", "PARTIAL", "FAIL"),
    PRODUCED("produced", Code.CSP_MISSING_FIELD),
    DATA("data", Code.CSP_MISSING_FIELD),
    // ERROR
    AT("errorAt", Code.CSP_MISSING_FIELD),
    CAUSE("cause", null),
    NEXT("nextAction", null),
    // PATCH; FILEOP also has BASE
    BASE("base", Code.CSP_PATCH_INCOMPLETE),
    APPLY("target", Code.CSP_PATCH_INCOMPLETE),
    // FILEOP
    PATH("path", Code.CSP_MISSING_FIELD),
    CONTENT("content", Code.CSP_HEREDOC);

    private static final CspKey[] ALL = values();

    private final int position;
    private final Code required;
    private final List<String> values;
    private final long packed = CspBytes.packed(name());
    private final byte[] line = ("\n" + name()).getBytes(US_ASCII);

    /**
     * Defines a key.
     *
     * @param required the code of a block without the key; null if the key is optional
     * @param values the values that the document allows; any if there is none
     */
    CspKey(String field, Code required, String... values) {
        this.position = CspMessage.getClassSchema().getField(field).pos();
        this.required = required;
        this.values = List.of(values);
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

    /**
     * The code of what is wrong with the value in a block: missing, a placeholder, a colon or an equals sign instead of
     * a space before it, or not the one name or word that it must be. The content of a file may have any form.
     *
     * @param value null if the key is absent
     * @return null if nothing is wrong
     */
    Code check(CspBlock block, String value) {
        Code missing = this == BASE && block == CspBlock.FILEOP ? Code.CSP_MISSING_FIELD : required;
        boolean mayBeEmpty = missing == null || missing == Code.CSP_MISSING_FIELD || this == CONTENT;
        if (value == null || value.isEmpty() && !mayBeEmpty) {
            return missing;
        }
        // Most values start like a name, and no wrong one does.
        if (this != CONTENT && !value.isEmpty() && !CspNameCheck.isPlain(value.charAt(0))) {
            char first = value.charAt(0);
            if ((first == '<' || this != DATA) && Placeholder.is(value)) {
                return Code.CSP_TEMPLATE;
            }
            boolean isSeparated = first == ':' || first == '=';
            if (isSeparated && (isOneLine() || value.length() == 1 || value.charAt(1) <= ' ')) {
                return Code.CSP_MALFORMED;
            }
        }
        if (isName()) {
            return CspNameCheck.isDoubtful(value, this != OWNER) ? Code.CSP_NAME : null;
        }
        if (values.isEmpty() || values.contains(value)) {
            return null;
        }
        return value.equals(String.join("|", values))
                ? Code.CSP_TEMPLATE
                : this == STATUS ? Code.CSP_STATUS : Code.CSP_PRIORITY;
    }

    /** The error detail of {@link #check}. */
    String detail(Code code) {
        return switch (code) {
            case CSP_TEMPLATE -> Placeholder.DETAIL;
            case CSP_NAME -> CspNameCheck.DETAIL;
            case CSP_MISSING_FIELD -> "The block must contain " + name() + ".";
            case CSP_MISSING_REQ -> "A TASK must describe the work in REQ.";
            case CSP_STATUS -> "A RESULT must have a STATUS: OK, PARTIAL or FAIL.";
            case CSP_PRIORITY -> "The priority must be P1, P2 or P3.";
            case CSP_PATCH_INCOMPLETE ->
                this == BASE
                        ? "A PATCH must name its base checkpoint in BASE."
                        : "A PATCH must have a line APPLY -> with its target checkpoint.";
            case CSP_HEREDOC -> "A FILEOP must have CONTENT between lines <<< and >>>.";
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
}
