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
import java.util.Objects;
import java.util.Set;

/** Reads the body block of a message: its first line, then keys with values in any order (CSP v1 "INTENT TYPES"). */
final class CspBody {
    private static final int NOT_THERE = -1;

    private final CspLines lines;
    private final Diagnostics findings;
    private final CspMessage message;
    private final Limits limits;
    private final CspOrder order;
    private Set<String> unknownKeys;
    private CspBlock block;
    private CspPatch patch;
    /** For each key of the block, the index of its value; 0 without the key. */
    private int[] offsets;

    private int count;
    private boolean ended;
    /** Index of the line whose value extends to the end of the message, perhaps after it. */
    private int lastLine = Integer.MAX_VALUE;
    /** Whether text continues a value. */
    private boolean hasText;

    // The last value read, which further lines may continue.
    private CspKey openKey;
    private CspField openField;
    private int openStart;
    private int openEnd;
    private boolean openContinues;

    CspBody(CspLines lines, Diagnostics findings, CspMessage message, Limits limits, int headerKeys) {
        this.lines = lines;
        this.findings = findings;
        this.message = message;
        this.limits = limits;
        this.order = new CspOrder(message);
        this.count = headerKeys;
    }

    /** Reads to the end of the message, starting with the current line if that is the first line of the block. */
    void read(boolean atBlock) {
        message.setOperations(List.of());
        message.setFields(List.of());
        int start = atBlock ? lines.start() : lines.nextStart();
        boolean more = atBlock || lines.next();
        while (more) {
            if (!lines.isBlank()) {
                line();
            }
            more = !ended && !findings.stopped() && lines.next();
        }
        close();
        message.setKeyOrder(order.wireOrder());
        if (block != null && (hasText || lacksKey()) && !findings.has(Code.TOO_MANY_FIELDS)) {
            nearKeys(start, Math.min(lastLine, lines.nextStart()));
        }
        if (!findings.stopped()) {
            CspRequirements.check(message, block, this::report);
            if (block == CspBlock.PATCH && Objects.equals(message.getTarget(), message.getBase())) {
                findings.violate(Code.CSP_SELF_APPLY);
            }
        }
    }

    private void report(CspKey key, Code code, String detail) {
        int offset = key == null ? 0 : offsets[block.indexOf(key.packed())];
        if (offset == 0) {
            findings.missing(code, lines.bytes().length, detail);
        } else {
            findings.value(code, offset, detail);
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
        offsets = new int[block.keyCount()];
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
        if (end > at) {
            if (lines.bytes()[at] == ':' || lines.bytes()[at] == '=') {
                findings.lexical(Code.CSP_MALFORMED, at, "A space and an ID must follow " + block + '.');
            }
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
        if (offsets[index] != 0) {
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
                lastLine = start;
                ended = true;
                new CspHeredoc(lines, findings).read(message, valueStart);
            }
            default -> {
                key.set(message, lines.text(valueStart, lines.end()));
                openKey = key;
                openStart = valueStart;
            }
        }
    }

    private boolean lacksKey() {
        boolean lacks = false;
        for (int offset : offsets) {
            lacks |= offset == 0;
        }
        return lacks;
    }

    /** Reports the keys in another form on the lines from an index to another. */
    private void nearKeys(int from, int to) {
        CspLines read = new CspLines(lines.bytes());
        read.skipWhiteSpace(from);
        boolean isFirst = false;
        while (read.next() && read.start() < to) {
            nearKeys(read, isFirst);
            isFirst = read.word() == block.packed() || isFirst && read.isBlank();
        }
    }

    /**
     * Reports the keys in another form on a line. A key that the block has is one only at the start of the line, before
     * a colon or an equals sign.
     *
     * @param isFirst whether the line follows the block's first line
     */
    private void nearKeys(CspLines line, boolean isFirst) {
        byte[] bytes = line.bytes();
        boolean isName = line.word() == block.packed();
        boolean isKey = isName || block.indexOf(line.word()) >= 0;
        boolean isOneLine = isName || CspKey.isOneLine(line.word());
        boolean isOther = line.startsWithKey() || block == CspBlock.PATCH && CspPatch.isOperator(bytes[line.start()]);
        int first = isOther ? line.end() : CspWords.afterMarks(bytes, line.start(), line.end());
        int at = isKey ? line.skipBlanks(line.wordEnd()) : first;
        while (at < line.end() && (at == line.start() || lacksKey())) {
            for (int i = 0; i < block.keyCount(); i++) {
                String name = block.key(i).name();
                if (CspWords.isNearly(name, bytes, at, line.end())) {
                    int value = line.skipBlanks(at + name.length());
                    int separator = CspWords.separator(bytes, at + name.length(), line.end());
                    boolean isUpper = Ascii.startsWith(bytes, at, name);
                    boolean isColon = isUpper && separator >= 0 && at == line.start();
                    boolean isWord = isFirst || at == line.start() && line.wordEnd(value) == line.end();
                    boolean isNear = at == first
                            ? isUpper || separator >= 0 || isWord
                            : isUpper && (separator >= 0 || isOneLine);
                    if (isColon || isNear && offsets[i] == 0) {
                        int wrong = isColon ? separator : at == first ? line.start() : at;
                        findings.lexical(Code.CSP_MALFORMED, wrong, block.key(i).misplaced());
                    }
                }
            }
            at = line.skipBlanks(line.wordEnd(at));
        }
    }

    /** Reads the rest of the message, which must not contain another one. */
    private String data(int valueStart) {
        lastLine = lines.start();
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
            findings.lexical(
                    name.equals("DEF") ? Code.CSP_PATCH_LINE : Code.CSP_PATCH_TARGET,
                    start,
                    "A patch must contain only operations on DEFs, which start with '+', '~' or '-'.");
            return;
        }
        int valueStart = lines.skipBlanks(lines.wordEnd());
        String operation = block == CspBlock.PATCH ? patch.operationFor(name) : null;
        if (operation != null) {
            findings.lexical(
                    Code.CSP_PATCH_LINE, start, "This is an operation of another dialect. Write " + operation + '.');
            return;
        }
        order.add(block, name, NOT_THERE);
        if (!definition && !block.isGeneric()) {
            unknownKeys = CspUnknownKeys.with(unknownKeys, name, start, findings);
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
        if (block == null && openField == null) {
            mismatch();
            ended = true;
            return;
        }
        boolean isPatch = block == CspBlock.PATCH && openField == null;
        if (isPatch || openKey != null && openKey.isOneLine()) {
            nearKeys(lines, false);
            if (!findings.stopped()) {
                findings.lexical(
                        isPatch ? Code.CSP_PATCH_LINE : Code.CSP_MALFORMED,
                        start,
                        isPatch
                                ? "A line of a patch must be BASE, an operation on a DEF, or APPLY."
                                : "This line is no key, and the value of " + openKey + " must be one line. A message"
                                        + " ends with its block: send other text in a record of its own.");
            }
            return;
        }
        if (openKey == null && openField == null) {
            rest("", start);
        }
        findings.warn(Code.CSP_CONTINUATION);
        hasText = true;
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
                    "The body must start with the word " + CspBlock.of(message.getIntent())
                            + ", the block of this intent.");
        }
    }
}
