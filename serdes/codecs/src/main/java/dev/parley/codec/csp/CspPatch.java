package dev.parley.codec.csp;

import dev.parley.avro.CspMessage;
import dev.parley.avro.CspOperation;
import dev.parley.avro.CspOperator;
import dev.parley.codec.Code;
import dev.parley.codec.Diagnostics;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads the lines that only a PATCH has: operations on definitions, and APPLY. */
final class CspPatch {
    private static final long DEF = CspBytes.packed("DEF");
    private static final long ARROW = CspBytes.packed("->");
    private static final long IS = CspBytes.packed("=");
    private static final long BECOMES = CspBytes.packed(":=");

    /** Maximum number of names for which comparing all is cheaper than a set. */
    private static final int MAX_COMPARED = 8;

    private final CspLines lines;
    private final Diagnostics findings;
    private final CspMessage message;
    private final int limit;
    private Set<String> names;

    CspPatch(CspLines lines, Diagnostics findings, CspMessage message, int limit) {
        this.lines = lines;
        this.findings = findings;
        this.message = message;
        this.limit = limit;
    }

    static boolean isOperator(byte b) {
        return b == '+' || b == '~' || b == '-';
    }

    /**
     * Reads the current line as an operation: {@code + DEF name = value}, {@code ~ DEF name := value} or
     * {@code - DEF name}.
     */
    void read() {
        int start = lines.start();
        int end = lines.end();
        int def = lines.skipBlanks(start + 1);
        if (def == start + 1 || def == end) {
            findings.lexical(Code.CSP_PATCH_LINE, start, "The operator must be followed by a space and DEF.");
            return;
        }
        int defEnd = lines.wordEnd(def);
        if (word(def, defEnd) != DEF) {
            findings.lexical(Code.CSP_PATCH_TARGET, def, "A patch may change only definitions: DEF must be here.");
            return;
        }
        int name = lines.skipBlanks(defEnd);
        int nameEnd = lines.wordEnd(name);
        int sign = lines.skipBlanks(nameEnd);
        int signEnd = lines.wordEnd(sign);
        CspOperator operator = operator(lines.bytes()[start]);
        if (name == end || isSign(name)) {
            findings.lexical(Code.CSP_PATCH_LINE, start, "DEF must be followed by a name of one word.");
        } else if (operator == CspOperator.REMOVE) {
            if (sign < end) {
                findings.lexical(Code.CSP_PATCH_LINE, start, "The line must end after the name to remove.");
            } else {
                add(operator, name, nameEnd, null);
            }
        } else if (!isSign(sign)) {
            findings.lexical(Code.CSP_PATCH_LINE, start, "The name must be followed by '=' or ':=' between spaces.");
        } else {
            if ((word(sign, signEnd) == BECOMES) != (operator == CspOperator.CHANGE)) {
                findings.value(Code.CSP_PATCH_OPERATOR, sign, "'+' requires '=', and '~' requires ':='.");
            }
            // One space after the sign; further ones belong to the value.
            add(operator, name, nameEnd, signEnd < end ? lines.text(signEnd + 1, end) : "");
        }
    }

    /**
     * The form of an operation for the current line, which starts with another key: a verb, or a name before a sign.
     *
     * @return null if the line is not an operation in another notation
     */
    String operationFor(String key) {
        int first = lines.skipBlanks(lines.wordEnd());
        int second = lines.skipBlanks(lines.wordEnd(first));
        return switch (key) {
            case "ADD", "SET", "PUT", "CREATE", "INSERT" -> "+ DEF name = value";
            case "CHANGE", "UPDATE", "MODIFY", "REPLACE" -> "~ DEF name := value";
            case "REMOVE", "DELETE", "DEL", "DROP", "UNSET" -> "- DEF name";
            default -> isSign(first) || isSign(second) ? "+ DEF name = value, or ~ DEF name := value" : null;
        };
    }

    private boolean isSign(int at) {
        long word = word(at, lines.wordEnd(at));
        return word == IS || word == BECOMES;
    }

    /** Reads the value of APPLY: the checkpoint after the arrow; null, after adding an error, if it is invalid. */
    String target(int valueStart) {
        int arrowEnd = lines.wordEnd(valueStart);
        int start = lines.skipBlanks(arrowEnd);
        if (word(valueStart, arrowEnd) != ARROW || start == lines.end() || lines.wordEnd(start) != lines.end()) {
            findings.lexical(Code.CSP_PATCH_LINE, lines.start(), "The line must be APPLY -> and one checkpoint.");
            return null;
        }
        return lines.text(start, lines.end());
    }

    private void add(CspOperator operator, int nameStart, int nameEnd, String value) {
        List<CspOperation> operations = message.getOperations();
        if (operations.size() == limit) {
            findings.lexical(
                    Code.TOO_MANY_FIELDS,
                    lines.start(),
                    "The patch has more operations than the maximum of " + limit + ".");
            return;
        }
        String name = CspNameCheck.checkedName(lines.text(nameStart, nameEnd), nameStart, findings);
        if (!isNew(name, operations)) {
            findings.violate(Code.CSP_PATCH_NAME_TWICE);
        }
        if (operations.isEmpty()) {
            operations = new ArrayList<>();
            message.setOperations(operations);
        }
        operations.add(new CspOperation(operator, name, value));
    }

    /** Whether no previous operation has this name. */
    private boolean isNew(String name, List<CspOperation> before) {
        if (names == null && before.size() < MAX_COMPARED) {
            for (int i = 0; i < before.size(); i++) {
                if (before.get(i).getName().equals(name)) {
                    return false;
                }
            }
            return true;
        }
        if (names == null) {
            names = new HashSet<>(64);
            before.forEach(operation -> names.add(operation.getName()));
        }
        return names.add(name);
    }

    private static CspOperator operator(byte sign) {
        return switch (sign) {
            case '+' -> CspOperator.ADD;
            case '~' -> CspOperator.CHANGE;
            default -> CspOperator.REMOVE;
        };
    }

    private long word(int from, int to) {
        return CspBytes.packed(lines.bytes(), from, to);
    }
}
