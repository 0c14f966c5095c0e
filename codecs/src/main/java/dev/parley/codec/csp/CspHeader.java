package dev.parley.codec.csp;

import dev.parley.avro.CspIntent;
import dev.parley.avro.CspMessage;
import dev.parley.codec.Code;
import dev.parley.codec.csp.CspFindings.Rank;

/** Reads the header of a message, from the line after CSP/1 to the blank line or, where that is missing, to the block (CSP v1 "MESSAGE FORMAT"). */
final class CspHeader {

    /** The keys of the header in the order of the document. */
    enum Key {
        FROM,
        TO,
        CTX,
        INTENT;

        private final long packed = CspLines.packed(name());

        /** The field of the record that holds the key's value. */
        String field() {
            return switch (this) {
                case FROM -> "sender";
                case TO -> "recipient";
                case CTX -> "ctx";
                case INTENT -> "intent";
            };
        }

        /** The key with that name, or null. */
        static Key named(String name) {
            for (Key key : KEYS) {
                if (key.name().equals(name)) {
                    return key;
                }
            }
            return null;
        }
    }

    private static final Key[] KEYS = Key.values();
    private static final long FILE = CspLines.packed("FILE");

    private final CspLines lines;
    private final CspFindings findings;
    private final CspMessage message;
    private final int keyLimit;
    private final CspFields fields;
    private int found;
    private int count;

    CspHeader(CspLines lines, CspFindings findings, CspMessage message, int keyLimit) {
        this.lines = lines;
        this.findings = findings;
        this.message = message;
        this.keyLimit = keyLimit;
        this.fields = new CspFields(findings);
    }

    /** Number of keys read. */
    int count() {
        return count;
    }

    /**
     * Reads the header into the message.
     *
     * @return whether the current line is the block's first already, for want of a blank line
     */
    boolean read() {
        boolean atBlock = false;
        while (!atBlock && !findings.stopped() && lines.next() && !lines.isBlank()) {
            if (!lines.startsWithKey()) {
                findings.note(
                        Rank.STRAY,
                        Code.CSP_MALFORMED,
                        lines.skipBlanks(lines.start()),
                        "A header line is an upper-case key, a blank and a value.");
                continue;
            }
            Key key = known(lines.key());
            if (key == null && CspBlock.named(lines.key()) != null) {
                findings.note(
                        Rank.LEXICAL,
                        Code.CSP_NO_BLANK_LINE,
                        lines.start(),
                        "A blank line belongs between the header and the body block.");
                atBlock = true;
            } else {
                key(key);
            }
        }
        message.setHeaderFields(fields.list());
        for (Key key : KEYS) {
            if (!has(key)) {
                findings.note(
                        Rank.MISSING, Code.CSP_MISSING_HEADER, lines.bytes().length, "The header has no " + key + ".");
            }
        }
        return atBlock;
    }

    private void key(Key key) {
        if (++count > keyLimit) {
            findings.note(
                    Rank.LEXICAL,
                    Code.TOO_MANY_FIELDS,
                    lines.start(),
                    "The message has more keys than the limit of " + keyLimit + ".");
            return;
        }
        int valueStart = lines.skipBlanks(lines.keyEnd());
        if (key != null) {
            if (has(key)) {
                findings.note(Rank.DUPLICATE, Code.CSP_DUPLICATE_KEY, lines.start(), "This key stands a second time.");
            }
            found |= 1 << key.ordinal();
            put(key, valueStart);
            return;
        }
        String name = lines.text(lines.start(), lines.keyEnd());
        String value = value(valueStart);
        if (CspFields.isDefinition(name)) {
            fields.add(name, value);
        } else {
            fields.addUnknown(name, value, lines.start());
        }
    }

    private void put(Key key, int valueStart) {
        if (valueStart == lines.end()) {
            findings.note(Rank.VALUE, Code.CSP_MISSING_HEADER, lines.start(), "This header key has no value.");
        }
        switch (key) {
            case FROM -> message.setSender(value(valueStart));
            case TO -> {
                String value = value(valueStart);
                message.setRecipient(value);
                recipients(value, valueStart);
            }
            case CTX -> message.setCtx(value(valueStart));
            case INTENT -> {
                CspIntent intent = intent(lines.packed(valueStart, lines.end()));
                message.setIntent(intent);
                if (intent == CspIntent.UNKNOWN && valueStart < lines.end()) {
                    findings.note(
                            Rank.VALUE,
                            Code.CSP_UNKNOWN_INTENT,
                            valueStart,
                            "The intent is one of PLAN, TASK, RESULT, ERROR, QUERY, PATCH, FILE, MEM.");
                }
            }
        }
    }

    private void recipients(String value, int valueStart) {
        if (value.indexOf(',') < 0) {
            return;
        }
        findings.warn(Code.CSP_MANY_RECIPIENTS);
        if (namesNobody(value)) {
            findings.note(Rank.VALUE, Code.CSP_MISSING_HEADER, valueStart, "TO is a list that names no agent.");
        }
    }

    /** Whether a value of TO is a list of empty places. */
    static boolean namesNobody(String recipients) {
        for (int i = 0; i < recipients.length(); i++) {
            if (recipients.charAt(i) != ',' && !Character.isWhitespace(recipients.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static Key known(long packed) {
        for (Key key : KEYS) {
            if (key.packed == packed) {
                return key;
            }
        }
        return null;
    }

    private boolean has(Key key) {
        return (found & 1 << key.ordinal()) != 0;
    }

    private String value(int valueStart) {
        return lines.text(valueStart, lines.end());
    }

    /** The intent of that name; UNKNOWN when there is none. Every intent but FILE has its block's name. */
    private static CspIntent intent(long packed) {
        CspBlock block = CspBlock.named(packed);
        if (block != null && block != CspBlock.FILEOP) {
            return block.intent();
        }
        return packed == FILE ? CspIntent.FILE : CspIntent.UNKNOWN;
    }
}
