package dev.parley.codec.lambda;

import dev.parley.avro.LambdaStatement;
import dev.parley.avro.LambdaStatementKind;
import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.Diagnostics;
import java.util.ArrayList;
import java.util.List;

/** Parses the statements after the prefix (Λ v0.6 §1.1, §2.4, §3.1; types of v0.1). */
final class StatementParser {
    /** The codes of Λ v0.6 §3.1. */
    private static final List<String> ERROR_CODES = List.of("pa", "un", "cx", "to", "ov");

    private final NormalizedText text;
    private final Diagnostics diagnostics;
    private List<LambdaStatement> statements = List.of();
    private int mark;
    private boolean typed;

    StatementParser(NormalizedText text, Diagnostics diagnostics) {
        this.text = text;
        this.diagnostics = diagnostics;
    }

    /** Whether a statement has a type. */
    boolean isTyped() {
        return typed;
    }

    List<LambdaStatement> statements() {
        return statements;
    }

    /** Adds a statement. Most messages have one, which needs no array. */
    private void add(LambdaStatement statement) {
        if (statements.isEmpty()) {
            statements = List.of(statement);
            return;
        }
        statements = statements.size() == 1 ? new ArrayList<>(statements) : statements;
        statements.add(statement);
    }

    /** Adds a structure without a type. Returns the position after it. */
    int data(int open) {
        int end = text.markAt(text.nextMark(NormalizedText.CLOSE, text.markAt(open), open));
        add(LambdaStatementKind.DATA, text.markAt(open), end);
        return end;
    }

    /** Parses statements to the end of the text or to the first invalid one. */
    void read(int from) {
        int at = from;
        while (at >= 0) {
            at = Ascii.skipSpaces(text.bytes(), at, text.end());
            at = at == text.end() ? -1 : statement(at);
        }
    }

    private int statement(int at) {
        if (at < text.end() - 1 && text.at(at) != '-' && Alphabet.floorAt(text.bytes(), at, text.end()) != null) {
            diagnostics.value(
                    Code.LAMBDA_MALFORMED,
                    text.offset(at),
                    "A floor mark must be before or after all statements, and only once.");
            return -1;
        }
        if (Alphabet.isType(text.at(at))) {
            mark = text.nextMark(NormalizedText.BOUNDARY, at, mark);
            int end = mark == text.marks() ? text.end() : text.markAt(mark);
            typed = true;
            typed(at, end);
            return end;
        }
        int open = text.nextMark(NormalizedText.OPEN, at, marksFrom(at));
        if (open < text.marks() && text.markAt(open) == at) {
            mark = open;
            return data(open);
        }
        diagnostics.value(
                Code.LAMBDA_NO_TYPE,
                text.offset(at),
                "A statement must start with one of ? ! . ~ > < # @, or be a structure.");
        return -1;
    }

    /**
     * A mark from which all marks at or after a position can be found. Searches back only over the current statement.
     */
    private int marksFrom(int at) {
        int from = mark;
        while (from > 0 && text.markAt(from - 1) >= at) {
            from--;
        }
        return from;
    }

    private void typed(int at, int end) {
        switch (text.at(at)) {
            case '?' -> withBody(LambdaStatementKind.ASK, at, end);
            case '~' -> withBody(LambdaStatementKind.SUPPOSE, at, end);
            case '.' -> withBody(LambdaStatementKind.COMMAND, at, end);
            case '>' -> withBody(LambdaStatementKind.OFFER, at, end);
            case '#' -> withBody(LambdaStatementKind.META, at, end);
            case '@' -> reference(at, end);
            case '<' -> acknowledgement(at, end);
            default -> {
                if (isError(at, end)) {
                    error(at, end);
                } else if (end - at > 5
                        && text.at(at + 1) == 'E'
                        && (text.at(at + 2) | 0x20) == 'r'
                        && text.at(at + 3) == ':') {
                    diagnostics.value(
                            Code.LAMBDA_MALFORMED, text.offset(at + 1), "!er: of an error must be in lower case.");
                } else {
                    withBody(LambdaStatementKind.ASSERT, at, end);
                }
            }
        }
    }

    private void withBody(LambdaStatementKind kind, int at, int end) {
        if (at + 1 == end) {
            diagnostics.missing(
                    Code.LAMBDA_MALFORMED,
                    text.wireLength(),
                    "A statement other than an acknowledgment must have a body.");
        }
        add(kind, at + 1, end);
    }

    private void reference(int at, int end) {
        if (at + 1 < end
                && Alphabet.isSwitch(text.at(at + 1))
                && (at + 2 == end || !Alphabet.isWord(text.at(at + 2)))) {
            diagnostics.value(
                    Code.LAMBDA_VERSION_FEATURE,
                    text.offset(at),
                    "@ and a letter, such as @c, switch the domain in v1.1, and @* switches back. v0.6 has references"
                            + " only.");
        }
        if (Alphabet.isHeader(text.bytes(), at, end) || Alphabet.agentsColon(text.bytes(), at + 1, ',', end) > 0) {
            diagnostics.value(Code.LAMBDA_MALFORMED, text.offset(at), Prefix.LATE);
        } else if (isAddress(at, end)) {
            diagnostics.value(Code.LAMBDA_MALFORMED, text.offset(at + 1), LambdaDetection.AGENT);
        }
        withBody(LambdaStatementKind.REFERENCE, at, end);
    }

    /** Whether a reference is an address in another form: it has its colon, a trust prefix, or an agent as in §4.1. */
    private boolean isAddress(int at, int end) {
        boolean hasColon = text.at(end - 1) == ':';
        boolean isAgent = end < text.end() && Alphabet.isAgent(text.slice(at + 1, end));
        return hasColon && isAgents(at + 1, end - 1)
                || statements.isEmpty() && (hasColon || isAgent || Ascii.find(text.bytes(), at, end, " prv:") < end);
    }

    /** Whether a range has names, with commas between them: agents, but perhaps in lower case. */
    private boolean isAgents(int from, int to) {
        return from < to && Ascii.skip(text.bytes(), from, to, b -> Alphabet.isWord(b) || b == ',' || b == '*') == to;
    }

    private void acknowledgement(int at, int end) {
        byte second = at + 1 < end ? text.at(at + 1) : 0;
        if (second == '-' && at + 2 < end && text.at(at + 2) == '>') {
            withBody(LambdaStatementKind.COUNTER, at + 2, end);
            return;
        }
        LambdaStatementKind kind = switch (second) {
            case '-' -> LambdaStatementKind.DISAGREE;
            case '+' -> LambdaStatementKind.AGREE;
            case '?' -> LambdaStatementKind.CLARIFY;
            case '!' -> LambdaStatementKind.ACK_URGENT;
            default -> LambdaStatementKind.ACK;
        };
        acknowledgement(kind, kind == LambdaStatementKind.ACK ? at + 1 : at + 2, end);
    }

    /**
     * Parses an acknowledgment. Text directly after the symbol is the argument (docs/protocols.md L23); text after a
     * space is tokens.
     */
    private void acknowledgement(LambdaStatementKind kind, int from, int end) {
        int argumentEnd = text.nextMarkWithin(NormalizedText.BLANK, from, end, marksFrom(from));
        String argument = argumentEnd == from ? null : text.slice(from, argumentEnd);
        add(new LambdaStatement(
                kind, argument, null, null, Tokenizer.tokens(text, Math.min(argumentEnd + 1, end), end)));
    }

    /**
     * Whether {@code !er:} and a word, its code, are here (docs/protocols.md L16).
     */
    private boolean isError(int at, int end) {
        return end - at > 4 && text.startsWith("!er:", at) && Alphabet.isWord(text.at(at + 4));
    }

    private void error(int at, int end) {
        int after = Ascii.skip(text.bytes(), at + 4, end, Alphabet::isWord);
        String code = text.slice(at + 4, after);
        if (!ERROR_CODES.contains(code)) {
            diagnostics.value(
                    Code.LAMBDA_UNKNOWN_ERROR_CODE,
                    text.offset(at + 4),
                    "The error code " + code + " must be pa, un, cx, to or ov.");
        }
        boolean hasDetail = after < end && text.at(after) == '/';
        add(new LambdaStatement(
                LambdaStatementKind.ERROR,
                null,
                code,
                hasDetail ? text.slice(after + 1, end) : null,
                hasDetail ? List.of() : Tokenizer.tokens(text, after, end)));
    }

    private void add(LambdaStatementKind kind, int from, int end) {
        add(new LambdaStatement(kind, null, null, null, Tokenizer.tokens(text, from, end)));
    }
}
