package dev.parley.codec.lambda;

import dev.parley.avro.LambdaFloor;
import dev.parley.avro.LambdaKind;
import dev.parley.avro.LambdaMessage;
import dev.parley.codec.Code;
import dev.parley.codec.Diagnostics;
import java.util.List;

/**
 * Parses a scanned text with its tail into a message: prefix, contexts, statements, then properties of the whole
 * message.
 */
final class MessageParser {

    private MessageParser() {}

    static LambdaMessage empty() {
        LambdaMessage message = new LambdaMessage();
        message.setAddress(List.of());
        message.setRelay(List.of());
        message.setContexts(List.of());
        message.setDefinitions(List.of());
        message.setStatements(List.of());
        return message;
    }

    /** Parses a text into a message, which is valid only without errors. */
    static LambdaMessage parse(NormalizedText text, Tail tail, Diagnostics diagnostics) {
        LambdaMessage message = empty();
        StatementParser statements = new StatementParser(text, diagnostics);
        int from = Prefix.read(text, message, diagnostics);
        if (from > text.start()) {
            readBraces(text, from, message, statements, diagnostics);
        }
        int second = text.nextMark(NormalizedText.PREFIX, from, 0);
        if (second < text.marks()) {
            diagnostics.value(Code.LAMBDA_MALFORMED, text.offset(text.markAt(second)), Prefix.LATE);
        }
        statements.read(from);
        message.setStatements(statements.statements());
        if (text.payload() != null) {
            message.setEncrypted(text.payload());
        }
        boolean bare = !statements.isTyped() && isBare(message);
        takeTail(tail, message, bare);
        message.setKind(kind(message, statements.isTyped()));
        if (bare && !mayBeBare(message)) {
            diagnostics.missing(
                    Code.LAMBDA_NO_TYPE, text.wireLength(), "The message must contain a statement or a context.");
        }
        if (message.getChecksum() != null) {
            Checksum.check(message, tail.checksumAt(), diagnostics);
        }
        return message;
    }

    /** Whether a message has no statement, context or payload. */
    static boolean isBare(LambdaMessage message) {
        return message.getStatements().isEmpty() && message.getContexts().isEmpty() && message.getEncrypted() == null;
    }

    /** Whether a message without content is legal: a floor mark, a handshake, or a header alone (Λ v0.6 §1.2). */
    static boolean mayBeBare(LambdaMessage message) {
        return message.getFloorBefore() != null
                || message.getHandshake()
                || message.getHandshakeReply()
                || message.getVersion() != null
                        && message.getAddress().isEmpty()
                        && message.getRelay().isEmpty()
                        && message.getTrust() == null;
    }

    /**
     * A brace is a context before a type or a payload; otherwise it is one while its first key is reserved
     * (docs/protocols.md L11).
     */
    private static void readBraces(
            NormalizedText text, int to, LambdaMessage message, StatementParser statements, Diagnostics diagnostics) {
        int open = text.nextMark(NormalizedText.OPEN, text.start(), 0);
        if (open == text.marks() || text.markAt(open) >= to) {
            return;
        }
        boolean context = true;
        boolean certain = text.payload() != null || (to < text.end() && Alphabet.isType(text.at(to)));
        ContextParser contexts = new ContextParser(text, message, diagnostics);
        while (open < text.marks() && text.markAt(open) < to) {
            context = context && (certain || ContextParser.isReserved(text, open));
            if (context) {
                contexts.read(open);
            } else {
                statements.data(open);
            }
            open = text.nextMark(NormalizedText.OPEN, text.start(), open + 1);
        }
    }

    /**
     * Applies the tail. A payload takes precedence over a checksum and over what precedes it. A floor mark without
     * statements comes first.
     */
    private static void takeTail(Tail tail, LambdaMessage message, boolean bare) {
        if (tail.isEmpty()) {
            return;
        }
        boolean encrypted = message.getEncrypted() != null;
        LambdaFloor floor = encrypted && tail.checksum() != null ? null : tail.floor();
        if (bare && message.getFloorBefore() == null) {
            message.setFloorBefore(floor);
        } else {
            message.setFloorAfter(floor);
        }
        message.setChecksum(encrypted ? null : tail.checksum());
    }

    private static LambdaKind kind(LambdaMessage message, boolean typed) {
        if (message.getEncrypted() != null) {
            return LambdaKind.ENCRYPTED;
        }
        if (message.getHandshakeReply()) {
            return LambdaKind.HANDSHAKE_REPLY;
        }
        if (message.getHandshake()) {
            return LambdaKind.HANDSHAKE;
        }
        if (typed) {
            return LambdaKind.STATEMENTS;
        }
        if (!message.getStatements().isEmpty()) {
            return LambdaKind.DATA_ONLY;
        }
        return message.getContexts().isEmpty() && message.getFloorBefore() != null
                ? LambdaKind.FLOOR
                : LambdaKind.CONTEXT_ONLY;
    }
}
