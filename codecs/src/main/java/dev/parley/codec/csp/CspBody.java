package dev.parley.codec.csp;

import dev.parley.avro.CspField;
import dev.parley.avro.CspIntent;
import dev.parley.avro.CspMessage;
import dev.parley.codec.Code;
import dev.parley.codec.Limits;
import dev.parley.codec.csp.CspFindings.Rank;
import java.util.List;

/** Reads the body block of a message: its first line, then keys and their values in any order (CSP v1 "INTENT TYPES"). */
final class CspBody {
    private static final String PATCH = "PATCH";

    private final CspLines lines;
    private final CspFindings findings;
    private final CspMessage message;
    private final CspOrder order = new CspOrder();
    private final CspFields fields;
    private final Limits limits;
    private final int[] valueOffsets = new int[CspKey.CONTENT.ordinal() + 1];
    private CspBlock block;
    private CspPatch patch;
    private boolean ended;
    private int count;

    private CspKey openKey;
    private CspField openField;
    private StringBuilder continued;
    private int blankLines;

    CspBody(CspLines lines, CspFindings findings, CspMessage message, Limits limits, int headerKeys) {
        this.lines = lines;
        this.findings = findings;
        this.message = message;
        this.limits = limits;
        this.fields = new CspFields(findings);
        this.count = headerKeys;
    }

    /** Reads to the end of the message, starting with the current line if that is the block's first. */
    void read(boolean atBlock) {
        boolean more = atBlock || lines.next();
        while (more) {
            line();
            more = !ended && !findings.stopped() && lines.next();
        }
        closeValue();
        message.setFields(fields.list());
        message.setOperations(patch == null ? List.of() : patch.operations());
        message.setKeyOrder(order.wireOrder());
        if (!findings.stopped()) {
            check();
        }
    }

    private void line() {
        if (lines.isBlank()) {
            blankLines++;
            return;
        }
        int start = lines.start();
        if (block == CspBlock.PATCH && CspPatch.isOperator(lines.bytes()[start])) {
            closeValue();
            order.add(rank(null, true), CspEncoder.OPERATION);
            patch.read();
            return;
        }
        if (!lines.startsWithKey()) {
            continuation();
            return;
        }
        int keyEnd = lines.keyEnd();
        CspKey key = block == null ? null : block.key(lines.key());
        if (key != null) {
            key(key, keyEnd);
            return;
        }
        CspBlock named = CspBlock.named(lines.key());
        if (block == null && named != null) {
            firstLine(named, keyEnd);
        } else if (named != null && (named == block || keyEnd < lines.end())) {
            refuse(Code.CSP_MULTIPLE_BODIES, start, "A message has one body block; here a second one starts.");
        } else {
            key(null, keyEnd);
        }
    }

    private void firstLine(CspBlock named, int keyEnd) {
        closeValue();
        block = named;
        if (block == CspBlock.PATCH) {
            patch = new CspPatch(lines, findings, limits.operations());
        }
        if (message.getIntent() != CspIntent.UNKNOWN && message.getIntent() != block.intent()) {
            mismatch();
        }
        if (block.isGeneric()) {
            findings.warn(Code.CSP_UNSPECIFIED_BODY);
        }
        int at = lines.skipBlanks(keyEnd);
        int end = lines.wordEnd(at);
        if (end > at) {
            message.setId(lines.text(at, end));
        }
        at = lines.skipBlanks(end);
        if (block == CspBlock.FILEOP && at < lines.end()) {
            end = lines.wordEnd(at);
            message.setFileOperation(lines.text(at, end));
            if (!message.getFileOperation().equals(PATCH)) {
                findings.note(
                        Rank.VALUE, Code.CSP_FILE_OPERATION, at, "PATCH is the only file operation that CSP/1 names.");
            }
            at = lines.skipBlanks(end);
        }
        if (at < lines.end()) {
            rest(lines.text(at, lines.end()), at);
        }
    }

    /** Keeps what else stands on the block's first line, and may go on from there, as a field with the block's own name. */
    private void rest(String text, int offset) {
        openField = fields.addFirst(block.name(), text);
        if (!block.isGeneric()) {
            findings.note(
                    Rank.VALUE,
                    Code.CSP_UNKNOWN_KEY,
                    offset,
                    "Nothing belongs between the block's first line and its keys.");
        }
    }

    private void key(CspKey key, int keyEnd) {
        closeValue();
        int start = lines.start();
        if (++count > limits.fields()) {
            refuse(Code.TOO_MANY_FIELDS, start, "The message has more keys than the limit of " + limits.fields() + ".");
            return;
        }
        if (key == null) {
            unknownKey(keyEnd);
            return;
        }
        if (valueOffsets[key.ordinal()] != 0) {
            findings.note(Rank.DUPLICATE, Code.CSP_DUPLICATE_KEY, start, "This key stands a second time.");
        }
        order.add(rank(key, false), key.name());
        int valueStart = lines.skipBlanks(keyEnd);
        valueOffsets[key.ordinal()] = valueStart < lines.end() ? valueStart : start;
        switch (key) {
            case APPLY -> key.set(message, patch.target(valueStart));
            case DATA -> {
                key.set(message, lines.rest(valueStart));
                ended = true;
            }
            case CONTENT -> {
                new CspHeredoc(lines, findings).read(message, valueStart);
                ended = true;
            }
            default -> {
                key.set(message, lines.text(valueStart, lines.end()));
                openKey = key;
            }
        }
    }

    private void unknownKey(int keyEnd) {
        int start = lines.start();
        String name = lines.text(start, keyEnd);
        boolean definition = CspFields.isDefinition(name);
        // A definition may stand before its block, but not before a patch, where the canonical form has no place for
        // it.
        if (block == null && (!definition || message.getIntent() == CspIntent.PATCH)) {
            mismatch();
            ended = true;
            return;
        }
        if (block == CspBlock.PATCH && definition) {
            if (name.equals("DEF")) {
                refuse(Code.CSP_PATCH_LINE, start, "A DEF line of a patch starts with '+', '~' or '-'.");
            } else {
                refuse(Code.CSP_PATCH_TARGET, start, "A patch changes definitions; it cannot hold laws.");
            }
            return;
        }
        order.add(rank(null, false), name);
        int valueStart = lines.skipBlanks(keyEnd);
        // DATA means the same in every block: what follows is quoted, not read.
        boolean last = name.equals(CspKey.DATA.name());
        String value = last ? lines.rest(valueStart) : lines.text(valueStart, lines.end());
        openField = definition || block.isGeneric() ? fields.add(name, value) : fields.addUnknown(name, value, start);
        ended = last;
    }

    private void continuation() {
        int start = lines.skipBlanks(lines.start());
        if (block == CspBlock.PATCH && openField == null) {
            refuse(Code.CSP_PATCH_LINE, start, "A line of a patch is BASE, an operation on a DEF, or APPLY.");
            return;
        }
        if (openKey == null && openField == null) {
            if (block == null) {
                mismatch();
                ended = true;
                return;
            }
            rest("", start);
        }
        if (continued == null) {
            continued = new StringBuilder(openKey == null ? openField.getValue() : openKey.get(message));
        }
        findings.warn(Code.CSP_CONTINUATION);
        for (; blankLines >= 0; blankLines--) {
            continued.append('\n');
        }
        blankLines = 0;
        continued.append(lines.text(lines.start(), lines.end()));
    }

    private void closeValue() {
        if (continued != null) {
            if (openKey == null) {
                openField.setValue(continued.toString());
            } else {
                openKey.set(message, continued.toString());
            }
            continued = null;
        }
        openKey = null;
        openField = null;
        blankLines = 0;
    }

    private int rank(CspKey key, boolean operation) {
        return CspEncoder.rank(block, key, operation);
    }

    private void mismatch() {
        if (message.getIntent() != CspIntent.UNKNOWN) {
            findings.note(
                    Rank.VALUE,
                    Code.CSP_BODY_MISMATCH,
                    lines.skipBlanks(lines.start()),
                    "The body of this intent is a block " + CspBlock.of(message.getIntent()) + ".");
        }
    }

    private void check() {
        if (block == null) {
            missing(Code.CSP_BODY_MISMATCH, "The message has no body block.");
            return;
        }
        if (message.getId() == null && !block.isGeneric()) {
            missing(Code.CSP_MISSING_ID, "The first line of the block names no id.");
        }
        switch (block) {
            case TASK -> checkTask();
            case RESULT -> checkResult();
            case ERROR -> require(CspKey.AT);
            case PATCH -> checkPatch();
            case FILEOP -> checkFile();
            case PLAN, QUERY, MEM -> {}
        }
    }

    private void checkTask() {
        String request = message.getRequest();
        if (request == null) {
            missing(Code.CSP_MISSING_REQ, "A TASK says in REQ what to do.");
        } else if (request.isEmpty()) {
            wrong(CspKey.REQ, Code.CSP_MISSING_REQ, "REQ says what to do; it cannot be empty.");
        }
        require(CspKey.IN);
        require(CspKey.OUT);
        require(CspKey.OWNER);
        require(CspKey.PRIORITY);
        String priority = message.getPriority();
        if (priority != null && !CspBlock.isPriority(priority)) {
            wrong(CspKey.PRIORITY, Code.CSP_PRIORITY, "The priority is P1, P2 or P3.");
        }
    }

    private void checkResult() {
        String status = message.getStatus();
        if (status == null) {
            missing(Code.CSP_STATUS, "A RESULT has a STATUS.");
        } else if (!CspBlock.isStatus(status)) {
            wrong(CspKey.STATUS, Code.CSP_STATUS, "The status is OK, PARTIAL or FAIL.");
        }
        require(CspKey.PRODUCED);
        require(CspKey.DATA);
    }

    private void checkPatch() {
        String base = message.getBase();
        if (base == null) {
            missing(Code.CSP_PATCH_INCOMPLETE, "A PATCH has a BASE.");
        } else if (base.isEmpty()) {
            wrong(CspKey.BASE, Code.CSP_PATCH_INCOMPLETE, "BASE names a checkpoint; it cannot be empty.");
        }
        if (message.getTarget() == null) {
            missing(Code.CSP_PATCH_INCOMPLETE, "A PATCH has a line APPLY -> and the checkpoint that it makes.");
        } else if (message.getTarget().equals(base)) {
            findings.violate(Code.CSP_SELF_APPLY);
        }
        if (message.getOperations().isEmpty()) {
            missing(Code.CSP_EMPTY_PATCH, "The patch changes nothing.");
        }
    }

    private void checkFile() {
        String operation = message.getFileOperation();
        if (operation == null) {
            missing(Code.CSP_MISSING_FIELD, "A FILEOP names its operation after its id.");
        }
        require(CspKey.PATH);
        require(CspKey.BASE);
        // Nobody knows what another operation needs, so only a patch must bring its content.
        if (message.getContent() == null && (operation == null || operation.equals(PATCH))) {
            missing(Code.CSP_HEREDOC, "A FILEOP brings CONTENT between lines <<< and >>>.");
        }
    }

    private void require(CspKey key) {
        if (key.get(message) == null) {
            missing(Code.CSP_MISSING_FIELD, key.missing());
        }
    }

    private void wrong(CspKey key, Code code, String detail) {
        findings.note(Rank.VALUE, code, valueOffsets[key.ordinal()], detail);
    }

    private void missing(Code code, String detail) {
        findings.note(Rank.MISSING, code, lines.bytes().length, detail);
    }

    private void refuse(Code code, int offset, String detail) {
        findings.note(Rank.LEXICAL, code, offset, detail);
    }
}
