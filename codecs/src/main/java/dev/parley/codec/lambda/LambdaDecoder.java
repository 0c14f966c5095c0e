package dev.parley.codec.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.LambdaFloor;
import dev.parley.avro.LambdaKind;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.LambdaStatement;
import dev.parley.avro.LambdaStatementKind;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Utf8;
import dev.parley.codec.lambda.Findings.Phase;
import java.util.List;

/** Decodes one message. */
final class LambdaDecoder {

    private final byte[] wire;
    private final DecodeOptions options;

    LambdaDecoder(byte[] wire, DecodeOptions options) {
        this.wire = wire;
        this.options = options;
    }

    DecodeResult<LambdaMessage> decode() {
        int limit = options.limits().messageBytes();
        if (wire.length > limit) {
            return new DecodeResult.Malformed<>(
                    Code.MESSAGE_TOO_LARGE,
                    limit,
                    "The message has " + wire.length + " bytes, the limit is " + limit + ".");
        }
        int start = Alphabet.skipSpaces(wire, afterMark(), wire.length);
        int labelEnd = labelEnd(start);
        int from = labelEnd < 0 ? start : Alphabet.skipSpaces(wire, labelEnd + 1, wire.length);
        String label = labelEnd < 0 ? null : new String(wire, start, labelEnd - start, UTF_8);

        Findings findings = opening(start, label);
        if (from == wire.length) {
            findings.fault(Phase.MISSING, Code.LAMBDA_EMPTY, wire.length, "The message is empty.");
            return findings.malformed();
        }
        Tail tail = Tail.of(wire, from, wire.length);
        if (tail.overlapsFloor(wire, from) && opensAt(tail.floorAt() - 1, from, tail)) {
            tail = tail.withoutFloor(wire, from);
        }
        LambdaMessage message = read(from, label, tail, findings);
        if (message != null && tail.checksum() != null && nothingToCount(message)) {
            findings = opening(start, label);
            message = read(from, label, Tail.withoutChecksum(wire, from, wire.length), findings);
        }
        return findings.faulty()
                ? findings.malformed()
                : new DecodeResult.Decoded<>(message, findings.warnings(), findings.violations());
    }

    /** What is found before the message proper. */
    private Findings opening(int start, String label) {
        Findings findings = new Findings(options.strict());
        if (afterMark() > 0) {
            findings.warning(
                    Phase.LEXICAL, Code.BYTE_ORDER_MARK, 0, "The message starts with a byte order mark; leave it out.");
        }
        if (label != null) {
            findings.warning(
                    Phase.LEXICAL,
                    Code.LAMBDA_SENDER_LABEL,
                    start,
                    "A sender label stands before the message; send the message alone.");
        }
        return findings;
    }

    private int afterMark() {
        return Utf8.startsWithMark(wire) ? Utf8.MARK_LENGTH : 0;
    }

    /** Index of the colon of a sender label {@code [A-Z][A-Za-z0-9_]*: } (PROTOCOLS L24), or -1. */
    private int labelEnd(int start) {
        if (start == wire.length || !Alphabet.isUpper(wire[start])) {
            return -1;
        }
        int at = start + 1;
        while (at < wire.length && wire[at] >= 0 && Alphabet.isWord(wire[at])) {
            at++;
        }
        return at + 1 < wire.length && wire[at] == ':' && Alphabet.isSpace(wire[at + 1]) ? at : -1;
    }

    /** Whether a floor mark at an index opens the message: there the longest match from the left wins over a mark at the end (PROTOCOLS L10). */
    private boolean opensAt(int index, int from, Tail tail) {
        Findings probe = new Findings(options.strict());
        int invalid = Utf8.firstInvalid(wire, from, wire.length);
        Text text = new TextScanner(wire, from, invalid, tail, options.limits(), probe).scan();
        if (text == null) {
            return false;
        }
        Prefix prefix = Prefix.parse(text, probe);
        return prefix.floor() == null && prefix.end() < text.length() && text.offset(prefix.end()) == index;
    }

    /** Whether a checksum has no statement or context before it, so that it is a list. */
    private static boolean nothingToCount(LambdaMessage message) {
        return message.getStatements().isEmpty()
                && message.getContexts().isEmpty()
                && message.getKind() != LambdaKind.ENCRYPTED;
    }

    /** Reads a message; null when its strings or brackets are not sound. What it returns counts only when nothing was found faulty. */
    private LambdaMessage read(int from, String label, Tail tail, Findings findings) {
        int invalid = Utf8.firstInvalid(wire, from, wire.length);
        Text text = new TextScanner(wire, from, invalid, tail, options.limits(), findings).scan();
        if (text == null) {
            return null;
        }
        Prefix prefix = Prefix.parse(text, findings);
        boolean encrypted = text.payloadFrom() >= 0;
        ContextParser contexts = new ContextParser(text, prefix.id(), findings);
        StatementParser statements = new StatementParser(text, wire.length, findings);
        readBraces(text, prefix, encrypted, contexts, statements);
        statements.read(prefix.end());

        boolean bare = statements.statements().isEmpty() && contexts.contexts().isEmpty() && !encrypted;
        LambdaFloor last = encrypted && tail.checksum() != null ? null : tail.floor();
        boolean onlyFloor = bare && prefix.floor() == null;
        LambdaMessage message = LambdaMessage.newBuilder()
                .setKind(LambdaKind.UNKNOWN)
                .setVersion(prefix.version())
                .setId(contexts.id())
                .setHeaderId(prefix.id() != null)
                .setHandshake(prefix.handshake())
                .setHandshakeReply(prefix.handshakeReply())
                .setAddress(prefix.address())
                .setRelay(prefix.relay())
                .setTrust(prefix.trust())
                .setFloorBefore(onlyFloor ? last : prefix.floor())
                .setFloorAfter(onlyFloor ? null : last)
                .setLabel(label)
                .setContexts(contexts.contexts())
                .setDefinitions(contexts.definitions())
                .setStatements(statements.statements())
                .setEncryption(encrypted ? contexts.encryption() : null)
                .setEncrypted(encrypted ? payload(text) : null)
                .setChecksum(encrypted ? null : tail.checksum())
                .build();
        message.setKind(kind(message));
        if (bare && message.getFloorBefore() == null && message.getVersion() == null) {
            findings.fault(
                    Phase.MISSING,
                    Code.LAMBDA_NO_TYPE,
                    wire.length,
                    "The message ends before any statement or context.");
        }
        if (message.getChecksum() != null) {
            checkSum(message, tail.checksumAt(), findings);
        }
        return message;
    }

    /** A brace is a context before a type or a payload; else while its first key is reserved (PROTOCOLS L11). */
    private static void readBraces(
            Text text, Prefix prefix, boolean encrypted, ContextParser contexts, StatementParser statements) {
        boolean typed = prefix.end() < text.length() && Alphabet.isType(text.at(prefix.end()));
        boolean context = true;
        for (int open : prefix.braces()) {
            context = context && (typed || encrypted || ContextParser.isReserved(text, open));
            if (context) {
                contexts.read(open);
            } else {
                statements.data(open);
            }
        }
    }

    private String payload(Text text) {
        return new String(wire, text.payloadFrom(), text.payloadTo() - text.payloadFrom(), UTF_8);
    }

    private static LambdaKind kind(LambdaMessage message) {
        if (message.getEncrypted() != null) {
            return LambdaKind.ENCRYPTED;
        }
        if (message.getHandshakeReply()) {
            return LambdaKind.HANDSHAKE_REPLY;
        }
        if (message.getHandshake()) {
            return LambdaKind.HANDSHAKE;
        }
        List<LambdaStatement> statements = message.getStatements();
        if (statements.isEmpty()) {
            return message.getContexts().isEmpty() && message.getFloorBefore() != null
                    ? LambdaKind.FLOOR
                    : LambdaKind.CONTEXT_ONLY;
        }
        for (LambdaStatement statement : statements) {
            if (statement.getKind() != LambdaStatementKind.DATA) {
                return LambdaKind.STATEMENTS;
            }
        }
        return LambdaKind.DATA_ONLY;
    }

    private static void checkSum(LambdaMessage message, int at, Findings findings) {
        int counted = message.getChecksum();
        int all = CanonicalWriter.characters(message.getStatements());
        if (counted == all) {
            return;
        }
        int types = 0;
        for (LambdaStatement statement : message.getStatements()) {
            types += CanonicalWriter.symbol(statement.getKind()).length();
        }
        if (counted == all - types) {
            findings.warning(
                    Phase.VALUE,
                    Code.LAMBDA_CHECKSUM_BODY_ONLY,
                    at,
                    "The checksum counts the body without its type; with it there are " + all + " characters.");
        } else {
            findings.violation(Code.LAMBDA_CHECKSUM);
        }
    }
}
