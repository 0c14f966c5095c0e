package dev.parley.codec.csp;

import static java.nio.charset.StandardCharsets.US_ASCII;

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
    private static final byte[] DEF = "DEF".getBytes(US_ASCII);
    private static final byte[] ARROW = "->".getBytes(US_ASCII);

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
        if (!CspLines.isWord(bytes, word, wordEnd, DEF)) {
            refuse(Code.CSP_PATCH_TARGET, word, "A patch changes definitions only; DEF belongs here.");
            return;
        }
        int name = lines.skipBlanks(wordEnd);
        if (bytes[start] == '-') {
            add(CspOperator.REMOVE, name, end, null);
            return;
        }
        int sign = name;
        while (sign < end && !isSign(sign)) {
            sign++;
        }
        if (sign == end) {
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
        if (!CspLines.isWord(lines.bytes(), valueStart, arrowEnd, ARROW)
                || start == lines.end()
                || lines.wordEnd(start) != lines.end()) {
            refuse(Code.CSP_PATCH_LINE, lines.start(), "The line reads APPLY -> and one checkpoint.");
            return null;
        }
        return lines.text(start, lines.end());
    }

    private void add(CspOperator operator, int nameStart, int nameEnd, String value) {
        if (nameStart == nameEnd || lines.wordEnd(nameStart) < nameEnd || isSign(nameStart)) {
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
        if (operations.size() == 1) {
            return true;
        }
        if (names == null) {
            names = new HashSet<>();
            names.add(operations.get(0).getName());
        }
        return names.add(name);
    }

    /** Whether '=' or ':=' starts here, with a blank before it and a blank or the line's end after it. */
    private boolean isSign(int at) {
        byte[] bytes = lines.bytes();
        if (!CspLines.isBlank(bytes[at - 1])) {
            return false;
        }
        int equals = bytes[at] == ':' ? at + 1 : at;
        return equals < lines.end()
                && bytes[equals] == '='
                && (equals + 1 == lines.end() || CspLines.isBlank(bytes[equals + 1]));
    }

    private static CspOperator change(byte sign) {
        return sign == '+' ? CspOperator.ADD : CspOperator.CHANGE;
    }

    private void refuse(Code code, int offset, String detail) {
        findings.note(Rank.LEXICAL, code, offset, detail);
    }
}
