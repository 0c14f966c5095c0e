package dev.parley.codec.csp;

import dev.parley.avro.CspField;
import dev.parley.avro.CspIntent;
import dev.parley.avro.CspMessage;
import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.Diagnostics;
import dev.parley.codec.Limits;
import java.util.ArrayList;
import java.util.List;

/** Reads the body block of a message: its first line, then keys with values in any order (CSP v1 "INTENT TYPES"). */
final class CspBody {
    private static final int NOT_THERE = -1;

    private final CspLines lines;
    private final Diagnostics findings;
    private final CspMessage message;
    private final Limits limits;
    private final CspOrder order;
    private final CspUnknownKeys unknownKeys;
    private CspBlock block;
    private CspPatch patch;
    /** For each key the index of its value; 0 without the key, or a negative index where the key has another form. */
    private final int[] offsets = new int[CspBlock.MAX_KEYS];

    private int count;
    private boolean ended;

    // The last value read, which further lines may continue.
    private CspKey openKey;
    private CspField openField;
    private int openStart;
    private int openEnd;
    private boolean openContinues;

    CspBody(CspLines lines, Diagnostics findings, CspMessage message, Limits limits, int headerKeys) {
        this.lines = lines;
        this.findings = findings;
        this.unknownKeys = new CspUnknownKeys(findings);
        this.message = message;
        this.limits = limits;
        this.order = new CspOrder(message);
        this.count = headerKeys;
    }

    /** Reads to the end of the message, starting with the current line if that is the first line of the block. */
    void read(boolean atBlock) {
        message.setOperations(List.of());
        message.setFields(List.of());
        boolean more = atBlock || lines.next();
        while (more) {
            if (!lines.isBlank()) {
                line();
            }
            more = !ended && !findings.stopped() && lines.next();
        }
        close();
        message.setKeyOrder(order.wireOrder());
        for (int i = 0; block != null && i < block.keyCount(); i++) {
            if (offsets[i] < 0) {
                findings.lexical(Code.CSP_MALFORMED, -offsets[i], block.key(i).misplaced());
            }
        }
        if (!findings.stopped()) {
            CspRequirements.check(message, block, this::report);
            if (block == CspBlock.PATCH
                    && message.getTarget() != null
                    && message.getTarget().equals(message.getBase())) {
                findings.violate(Code.CSP_SELF_APPLY);
            }
        }
    }

    private void report(CspKey invalid, Code code, String detail) {
        if (invalid == null) {
            findings.missing(code, lines.bytes().length, detail);
        } else {
            findings.value(code, offsets[block.indexOf(invalid.packed())], detail);
        }
    }

    private void line() {
        if (block == CspBlock.PATCH && CspPatch.isOperator(lines.bytes()[lines.start()])) {
            close();
            order.add(block, CspOrder.OPERATION, NOT_THERE);
            patch.read();
            return;
        }
        int index = block == null ? NOT_THERE : block.indexOf(lines.word());
        if (index != NOT_THERE) {
            key(index);
            return;
        }
        CspBlock named = CspBlock.named(lines.word());
        if (!lines.startsWithKey()) {
            continuation();
        } else if (named == null || (named != block && block != null && lines.wordEnd() == lines.end())) {
            otherKey();
        } else if (block == null) {
            firstLine(named);
        } else {
            findings.lexical(
                    Code.CSP_MULTIPLE_BODIES,
                    lines.start(),
                    "A message must have one body block, but a second one starts here.");
        }
    }

    private void firstLine(CspBlock named) {
        close();
        block = named;
        if (block == CspBlock.PATCH) {
            patch = new CspPatch(lines, findings, message, limits.operations());
        }
        if (message.getIntent() != block.intent()) {
            mismatch();
        }
        if (block.isGeneric()) {
            findings.warn(Code.CSP_UNSPECIFIED_BODY);
        }
        int at = lines.skipBlanks(lines.wordEnd());
        int end = lines.wordEnd(at);
        if (CspWords.isSeparated(lines.bytes(), at, lines.end())) {
            findings.lexical(Code.CSP_MALFORMED, at, "A space and an ID must follow " + block + '.');
        }
        if (end > at) {
            message.setId(CspNameCheck.checkedName(lines.text(at, end), at, findings));
        }
        at = lines.skipBlanks(end);
        if (block == CspBlock.FILEOP && at < lines.end()) {
            end = lines.wordEnd(at);
            fileOperation(lines.text(at, end), at);
            at = lines.skipBlanks(end);
        }
        openStart = at;
        if (at < lines.end()) {
            rest(lines.text(at, lines.end()), at);
            noteKeysOnLine(at);
        }
    }

    private void fileOperation(String operation, int offset) {
        message.setFileOperation(operation);
        if (!operation.equals(CspRequirements.PATCH)) {
            findings.value(Code.CSP_FILE_OPERATION, offset, "The file operation must be PATCH.");
        }
    }

    /** Stores the rest of the block's first line, and its continuation, as a field with the name of the block. */
    private void rest(String text, int offset) {
        openField = addField(block.name(), text);
        if (!block.isGeneric()) {
            findings.value(Code.CSP_UNKNOWN_KEY, offset, "The block's first line must be followed by its keys.");
        }
    }

    private void key(int index) {
        close();
        int start = lines.start();
        if (!counted(start)) {
            return;
        }
        CspKey key = block.key(index);
        if (offsets[index] > 0) {
            findings.duplicate(Code.CSP_DUPLICATE_KEY, start, "This key is repeated.");
        }
        order.add(block, key.name(), index);
        int valueStart = lines.skipBlanks(lines.wordEnd());
        offsets[index] = valueStart < lines.end() ? valueStart : start;
        switch (key) {
            case APPLY -> {
                key.set(message, patch.target(valueStart));
                offsets[index] = lines.skipBlanks(lines.wordEnd(valueStart));
            }
            case DATA -> key.set(message, data(valueStart));
            case CONTENT -> {
                new CspHeredoc(lines, findings).read(message, valueStart);
                ended = true;
            }
            default -> {
                String value = lines.text(valueStart, lines.end());
                key.set(message, value);
                openKey = key;
                openStart = valueStart;
                if (key.isOneLine() && value.indexOf(' ') >= 0) {
                    noteKeysOnLine(valueStart);
                }
            }
        }
    }

    /** Notes the keys of the block on the line of another one, from an index on. */
    private void noteKeysOnLine(int from) {
        int at = from;
        while (at < lines.end()) {
            int end = lines.wordEnd(at);
            int last = lines.bytes()[end - 1] == ':' || lines.bytes()[end - 1] == '=' ? end - 1 : end;
            note(block.indexOf(CspBytes.packed(lines.bytes(), at, last)), at);
            at = lines.skipBlanks(end);
        }
    }

    /**
     * Notes a key of the block that the current line nearly starts with: before a colon or an equals sign, after marks,
     * or in another case. A word of prose in another case is one only before one value, or without a value to continue.
     *
     * @return its index; -1 if there is none
     */
    private int noteNearKey() {
        // A definition before the block is written after it.
        CspBlock read = block == null ? CspBlock.of(message.getIntent()) : block;
        int found = NOT_THERE;
        int start = lines.start();
        int at = CspWords.afterMarks(lines.bytes(), start, lines.end());
        for (int i = 0; read != null && i < read.keyCount(); i++) {
            String name = read.key(i).name();
            if (CspWords.isNearly(name, lines.bytes(), at, lines.end())) {
                int value = lines.skipBlanks(at + name.length());
                boolean isUpper = Ascii.startsWith(lines.bytes(), at, name);
                boolean isSeparated = CspWords.isSeparated(lines.bytes(), value, lines.end());
                boolean isWord = at == start && lines.wordEnd(value) == lines.end();
                if (isUpper && isSeparated && at == start) {
                    findings.lexical(Code.CSP_MALFORMED, value, read.key(i).misplaced());
                } else if (isUpper || isSeparated || isWord || (openKey == null && openField == null)) {
                    note(i, at);
                    found = i;
                }
            }
        }
        return found;
    }

    /** Notes where a key has another form, which is an error unless the block has the key in its form, too. */
    private void note(int key, int at) {
        if (key != NOT_THERE && offsets[key] == 0) {
            offsets[key] = -at;
        }
    }

    /** Reads the rest of the message, which must not contain another one. */
    private String data(int valueStart) {
        int second = secondMessage(lines.bytes(), lines.nextStart());
        if (second >= 0) {
            findings.lexical(
                    Code.CSP_MULTIPLE_BODIES,
                    second,
                    "A record must contain one message, but another one starts here.");
        }
        ended = true;
        return lines.rest(valueStart);
    }

    /** Index of a line CSP/1 before a line with FROM, from an index on; -1 if there is none. */
    static int secondMessage(byte[] text, int from) {
        int at = from;
        while (at < text.length) {
            int next = Ascii.afterLine(text, at);
            if (CspWords.isFirstLine(text, at) && Ascii.startsWith(text, next, "FROM ")) {
                return at;
            }
            at = next;
        }
        return -1;
    }

    /** Reads a key that the block does not define. */
    private void otherKey() {
        close();
        int start = lines.start();
        if (!counted(start)) {
            return;
        }
        String name = lines.text(start, lines.wordEnd());
        boolean definition = CspUnknownKeys.isDefinition(name);
        // A definition may precede its block, but not a patch: there the canonical form has no position for it.
        if (block == null && (!definition || message.getIntent() == CspIntent.PATCH)) {
            mismatch();
            ended = true;
            return;
        }
        if (block == CspBlock.PATCH && definition) {
            if (name.equals("DEF")) {
                findings.lexical(Code.CSP_PATCH_LINE, start, "A DEF line of a patch must start with '+', '~' or '-'.");
            } else {
                findings.lexical(
                        Code.CSP_PATCH_TARGET, start, "A patch must contain operations on definitions only, not LAWS.");
            }
            return;
        }
        int valueStart = lines.skipBlanks(lines.wordEnd());
        String operation =
                block == CspBlock.PATCH ? CspPatch.operationFor(name, lines.text(valueStart, lines.end())) : null;
        if (operation != null) {
            findings.lexical(
                    Code.CSP_PATCH_LINE, start, "This is an operation of another dialect. Write " + operation + '.');
            return;
        }
        order.add(block, name, NOT_THERE);
        if (!definition && !block.isGeneric()) {
            unknownKeys.note(name, start);
        }
        if (name.equals(CspKey.DATA.name())) {
            // DATA has the same meaning in every block: the rest of the message is its value.
            addField(name, data(valueStart));
        } else {
            openField = addField(name, lines.text(valueStart, lines.end()));
            openStart = valueStart;
        }
    }

    private void continuation() {
        int start = lines.skipBlanks(lines.start());
        if (block == CspBlock.PATCH && openField == null) {
            findings.lexical(
                    Code.CSP_PATCH_LINE, start, "A line of a patch must be BASE, an operation on a DEF, or APPLY.");
            return;
        }
        if (block == null && openField == null) {
            mismatch();
            ended = true;
            return;
        }
        int near = noteNearKey();
        if (findings.stopped()) {
            return;
        }
        if (openKey == null && openField == null) {
            rest("", start);
        }
        if (openKey != null && openKey.isOneLine()) {
            findings.lexical(
                    Code.CSP_MALFORMED,
                    start,
                    near == NOT_THERE
                            ? "This line is no key, and the value of " + openKey + " must be one line. A message ends"
                                    + " with its block: send other text in a record of its own."
                            : block.key(near).misplaced());
            return;
        }
        findings.warn(Code.CSP_CONTINUATION);
        openEnd = lines.end();
        openContinues = true;
    }

    /** Completes the last value; replaces it in the message if further lines continued it. */
    private void close() {
        if (openContinues) {
            String value = lines.textOfLines(openStart, openEnd);
            if (openKey == null) {
                openField.setValue(value);
            } else {
                openKey.set(message, value);
            }
            openContinues = false;
        }
        openKey = null;
        openField = null;
    }

    private CspField addField(String name, String value) {
        if (message.getFields().isEmpty()) {
            message.setFields(new ArrayList<>(4));
        }
        // The rest of the block's first line precedes definitions before the block.
        int at = block != null && name.equals(block.name())
                ? 0
                : message.getFields().size();
        CspField field = new CspField(name, value);
        message.getFields().add(at, field);
        return field;
    }

    private boolean counted(int offset) {
        if (++count > limits.fields()) {
            findings.lexical(
                    Code.TOO_MANY_FIELDS,
                    offset,
                    "The message has more keys than the maximum of " + limits.fields() + ".");
            return false;
        }
        return true;
    }

    private void mismatch() {
        if (message.getIntent() != CspIntent.UNKNOWN) {
            findings.value(
                    Code.CSP_BODY_MISMATCH,
                    lines.skipBlanks(lines.start()),
                    "The body block of this intent must be " + CspBlock.of(message.getIntent()) + ".");
        }
    }
}
