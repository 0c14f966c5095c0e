package dev.parley.codec.csp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.parley.avro.CspField;
import dev.parley.avro.CspIntent;
import dev.parley.avro.CspMessage;
import dev.parley.codec.Code;
import dev.parley.codec.Diagnostics;
import dev.parley.codec.Placeholder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Reads the header of a message, from the line after CSP/1 to the blank line or, without one, to the block (CSP v1
 * "MESSAGE FORMAT").
 */
final class CspHeader {

    /** The keys of the header in document order. */
    @SuppressWarnings("ImmutableEnumChecker") // The arrays are never modified.
    enum Key {
        FROM("sender"),
        TO("recipient"),
        CTX("ctx"),
        INTENT("intent");

        private static final Key[] ALL = values();

        private final String field;
        private final long packed = CspBytes.packed(name());
        private final byte[] line = ("\n" + name()).getBytes(US_ASCII);

        Key(String field) {
            this.field = field;
        }

        /** The record field with the value of the key. */
        String field() {
            return field;
        }

        /** The key in the form of {@link CspLines#word}, or null. */
        static Key named(long packed) {
            for (Key key : ALL) {
                if (key.packed == packed) {
                    return key;
                }
            }
            return null;
        }

        /** A line feed and the key; must not be modified. */
        byte[] line() {
            return line;
        }
    }

    private static final long FILE = CspBytes.packed("FILE");

    private final CspLines lines;
    private final Diagnostics findings;
    private final CspMessage message;
    private final int keyLimit;
    private Set<String> unknownKeys;
    private int found;
    private int count;

    CspHeader(CspLines lines, Diagnostics findings, CspMessage message, int keyLimit) {
        this.lines = lines;
        this.findings = findings;
        this.message = message;
        this.keyLimit = keyLimit;
    }

    /** Number of keys read. */
    int count() {
        return count;
    }

    /**
     * Reads the header into the message.
     *
     * @return whether the current line is already the first line of the block, because the blank line is missing
     */
    boolean read() {
        message.setHeaderFields(List.of());
        boolean atBlock = false;
        while (!atBlock && !findings.stopped() && lines.next() && !lines.isBlank()) {
            atBlock = line();
        }
        for (Key key : Key.ALL) {
            if (!has(key)) {
                findings.missing(Code.CSP_MISSING_HEADER, lines.bytes().length, "The header must contain " + key + ".");
            }
        }
        return atBlock;
    }

    /** Reads one line. Returns true, without reading it, if it is the first line of the block. */
    private boolean line() {
        Key key = Key.named(lines.word());
        if (key == null && !lines.startsWithKey()) {
            findings.stray(
                    Code.CSP_MALFORMED,
                    lines.skipBlanks(lines.start()),
                    "A header line must be an upper-case key, a space and a value.");
            return false;
        }
        if (key == null && CspBlock.named(lines.word()) != null) {
            findings.lexical(
                    Code.CSP_NO_BLANK_LINE, lines.start(), "A blank line must separate the header and the body block.");
            return true;
        }
        if (++count > keyLimit) {
            findings.lexical(
                    Code.TOO_MANY_FIELDS,
                    lines.start(),
                    "The message has more keys than the maximum of " + keyLimit + ".");
        } else if (key == null) {
            otherKey();
        } else {
            key(key);
        }
        return false;
    }

    private void key(Key key) {
        if (has(key)) {
            findings.duplicate(Code.CSP_DUPLICATE_KEY, lines.start(), "This key is repeated.");
        }
        found |= 1 << key.ordinal();
        int valueStart = lines.skipBlanks(lines.wordEnd());
        if (valueStart == lines.end()) {
            findings.value(Code.CSP_MISSING_HEADER, lines.start(), "This header key must have a value.");
        } else if (lines.bytes()[valueStart] == ':' || lines.bytes()[valueStart] == '=') {
            findings.value(Code.CSP_MISSING_HEADER, valueStart, "A value must follow its header key after a space.");
        }
        switch (key) {
            case FROM -> message.setSender(CspNameCheck.checkedName(value(valueStart), valueStart, findings));
            case TO -> {
                message.setRecipient(value(valueStart));
                checkRecipients(message.getRecipient(), valueStart);
            }
            case CTX -> message.setCtx(CspNameCheck.checkedName(value(valueStart), valueStart, findings));
            case INTENT -> message.setIntent(intent(valueStart));
        }
    }

    private void checkRecipients(String list, int offset) {
        boolean isList = list.indexOf(',') >= 0;
        List<String> agents = isList ? CspTraits.agents(list) : List.of();
        if (isList ? agents.isEmpty() : list.isBlank()) {
            findings.value(Code.CSP_MISSING_HEADER, offset, "TO must name an agent.");
        }
        if (isList) {
            findings.warn(Code.CSP_MANY_RECIPIENTS);
            agents.forEach(agent -> CspNameCheck.checkedName(agent, offset, findings));
        } else {
            CspNameCheck.checkedName(list, offset, findings);
        }
    }

    /** The intent with that name, or UNKNOWN. Every intent except FILE has the name of its block. */
    private CspIntent intent(int valueStart) {
        long packed = CspBytes.packed(lines.bytes(), valueStart, lines.end());
        CspBlock block = packed == FILE ? CspBlock.FILEOP : CspBlock.named(packed);
        if (block != null && (block != CspBlock.FILEOP || packed == FILE)) {
            return block.intent();
        }
        if (Placeholder.is(value(valueStart))) {
            findings.value(Code.CSP_TEMPLATE, valueStart, Placeholder.DETAIL);
        } else if (valueStart < lines.end()) {
            findings.value(
                    Code.CSP_UNKNOWN_INTENT,
                    valueStart,
                    "The intent must be PLAN, TASK, RESULT, ERROR, QUERY, PATCH, FILE or MEM.");
        }
        return CspIntent.UNKNOWN;
    }

    /** Reads an undefined key or a definition. */
    private void otherKey() {
        String name = lines.text(lines.start(), lines.wordEnd());
        if (!CspUnknownKeys.isDefinition(name)) {
            unknownKeys = CspUnknownKeys.with(unknownKeys, name, lines.start(), findings);
        }
        if (message.getHeaderFields().isEmpty()) {
            message.setHeaderFields(new ArrayList<>(4));
        }
        message.getHeaderFields().add(new CspField(name, value(lines.skipBlanks(lines.wordEnd()))));
    }

    private boolean has(Key key) {
        return (found & 1 << key.ordinal()) != 0;
    }

    private String value(int valueStart) {
        return lines.text(valueStart, lines.end());
    }
}
