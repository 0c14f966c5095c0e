package dev.parley.codec.csp;

import dev.parley.avro.CspOperation;
import dev.parley.avro.CspOperator;
import dev.parley.codec.Code;
import dev.parley.codec.csp.CspFindings.Rank;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads the lines that only a PATCH has: operations on definitions, and APPLY. */
final class CspPatch {
    private static final long DEF = CspLines.packed("DEF");
    private static final long ARROW = CspLines.packed("->");

    /** Up to so many names it is cheaper to compare them all than to keep a set. */
    private static final int FEW = 8;

    private final CspLines lines;
    private final CspFindings findings;
    private final int limit;
    private List<CspOperation> operations = List.of();
    private Set<String> names;

    CspPatch(CspLines lines, CspFindings findings, int limit) {
        this.lines = lines;
        this.findings = findings;
        this.limit = limit;
    }

    static boolean isOperator(byte b) {
        return b == '+' || b == '~' || b == '-';
    }

    List<CspOperation> operations() {
        return operations;
    }

    /** Reads the current line as an operation. */
    void read() {
        byte[] bytes = lines.bytes();
        int start = lines.start();
        int end = lines.end();
        int word = lines.skipBlanks(start + 1);
        if (word == start + 1 || word == end) {
            refuse(Code.CSP_PATCH_LINE, start, "After the operator come a blank and DEF.");
            return;
        }
        int wordEnd = lines.wordEnd(word);
        if (lines.packed(word, wordEnd) != DEF) {
            refuse(Code.CSP_PATCH_TARGET, word, "A patch changes definitions only; DEF belongs here.");
            return;
        }
        int name = lines.skipBlanks(wordEnd);
        if (bytes[start] == '-') {
            add(CspOperator.REMOVE, name, end, null);
            return;
        }
        int sign = sign(name);
        if (sign < 0) {
            refuse(Code.CSP_PATCH_LINE, start, "The operation has no '=' or ':=' between blanks.");
            return;
        }
        boolean change = bytes[sign] == ':';
        int signEnd = change ? sign + 2 : sign + 1;
        if (change != (bytes[start] == '~')) {
            findings.note(Rank.VALUE, Code.CSP_PATCH_OPERATOR, sign, "'=' goes with '+', and ':=' goes with '~'.");
        }
        int nameEnd = sign;
        while (nameEnd > name && CspLines.isBlank(bytes[nameEnd - 1])) {
            nameEnd--;
        }
        add(change(bytes[start]), name, nameEnd, signEnd < end ? lines.text(signEnd + 1, end) : "");
    }

    /** Reads the value of APPLY: the checkpoint after the arrow, or null and a fault. */
    String target(int valueStart) {
        int arrowEnd = lines.wordEnd(valueStart);
        int start = lines.skipBlanks(arrowEnd);
        if (lines.packed(valueStart, arrowEnd) != ARROW
                || start == lines.end()
                || lines.wordEnd(start) != lines.end()) {
            refuse(Code.CSP_PATCH_LINE, lines.start(), "The line reads APPLY -> and one checkpoint.");
            return null;
        }
        return lines.text(start, lines.end());
    }

    private void add(CspOperator operator, int nameStart, int nameEnd, String value) {
        if (nameStart == nameEnd || lines.wordEnd(nameStart) < nameEnd || isSign(nameStart, nameEnd)) {
            refuse(Code.CSP_PATCH_LINE, lines.start(), "A definition's name is one word.");
            return;
        }
        if (operations.size() == limit) {
            refuse(
                    Code.TOO_MANY_FIELDS,
                    lines.start(),
                    "The patch has more operations than the limit of " + limit + ".");
            return;
        }
        if (operations.isEmpty()) {
            operations = new ArrayList<>();
        }
        CspOperation operation = new CspOperation(operator, lines.text(nameStart, nameEnd), value);
        operations.add(operation);
        if (!isNew(operation.getName())) {
            findings.violate(Code.CSP_PATCH_NAME_TWICE);
        }
    }

    /** Whether no operation before the last one had this name. */
    private boolean isNew(String name) {
        int before = operations.size() - 1;
        if (before < FEW) {
            for (int i = 0; i < before; i++) {
                if (operations.get(i).getName().equals(name)) {
                    return false;
                }
            }
            return true;
        }
        if (names == null) {
            names = new HashSet<>(64);
            for (int i = 0; i < before; i++) {
                names.add(operations.get(i).getName());
            }
        }
        return names.add(name);
    }

    /** Index of the first '=' or ':=' with a blank before it and a blank or the line's end after it, or -1. */
    private int sign(int from) {
        byte[] bytes = lines.bytes();
        int end = lines.end();
        for (int at = from; at < end; at++) {
            if (bytes[at] == '=' && (at + 1 == end || CspLines.isBlank(bytes[at + 1]))) {
                int sign = at > from && bytes[at - 1] == ':' ? at - 1 : at;
                if (CspLines.isBlank(bytes[sign - 1])) {
                    return sign;
                }
            }
        }
        return -1;
    }

    /** Whether a name is '=' or ':=', which would not read back as a name. */
    private boolean isSign(int from, int to) {
        return lines.bytes()[to - 1] == '=' && (to - from == 1 || (to - from == 2 && lines.bytes()[from] == ':'));
    }

    private static CspOperator change(byte sign) {
        return sign == '+' ? CspOperator.ADD : CspOperator.CHANGE;
    }

    private void refuse(Code code, int offset, String detail) {
        findings.note(Rank.LEXICAL, code, offset, detail);
    }
}
