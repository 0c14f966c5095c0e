package dev.parley.codec.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.LambdaMessage;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Utf8;
import dev.parley.codec.lambda.LambdaDiagnostics.Phase;

/** Decodes one message: finds its start and end, and scans and parses the text between them. */
final class LambdaDecoder {

    private final byte[] wire;
    private final DecodeOptions options;
    private int from;
    private String label;
    private int labelAt;
    private int invalid;

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
                    "The message has " + wire.length + " bytes, but the maximum is " + limit + ".");
        }
        findStart();
        if (from == wire.length) {
            LambdaDiagnostics diagnostics = opening();
            diagnostics.error(Phase.MISSING, Code.LAMBDA_EMPTY, wire.length, "The message is empty.");
            return diagnostics.result(null);
        }
        invalid = Utf8.firstInvalid(wire, from, wire.length);
        Tail tail = Tail.of(wire, from, wire.length);
        if (tail.overlapsFloor(wire, from) && opensAt(tail.floorAt() - 1, tail)) {
            tail = tail.withoutFloor(wire, from);
        }
        LambdaDiagnostics diagnostics = opening();
        LambdaMessage message = read(tail, diagnostics);
        if (message != null && tail.checksum() != null && MessageParser.isBare(message)) {
            // Without a statement or context before it, a list is not a checksum.
            diagnostics = opening();
            message = read(Tail.withoutChecksum(wire, from, wire.length), diagnostics);
        }
        return diagnostics.result(message);
    }

    /** Skips a byte order mark, white space and a sender label {@code [A-Z][A-Za-z0-9_]*: } (PROTOCOLS L24). */
    private void findStart() {
        from = Alphabet.skipSpaces(wire, afterMark(), wire.length);
        if (from == wire.length || !Alphabet.isUpper(wire[from])) {
            return;
        }
        int colon = from + 1;
        while (colon < wire.length && wire[colon] >= 0 && Alphabet.isWord(wire[colon])) {
            colon++;
        }
        if (colon + 1 < wire.length && wire[colon] == ':' && Alphabet.isSpace(wire[colon + 1])) {
            labelAt = from;
            label = new String(wire, from, colon - from, UTF_8);
            from = Alphabet.skipSpaces(wire, colon + 1, wire.length);
        }
    }

    private int afterMark() {
        return Utf8.startsWithMark(wire) ? Utf8.MARK_LENGTH : 0;
    }

    /** The errors and warnings before the message itself. */
    private LambdaDiagnostics opening() {
        LambdaDiagnostics diagnostics = new LambdaDiagnostics(options.strict());
        if (afterMark() > 0) {
            diagnostics.warning(
                    Phase.LEXICAL, Code.BYTE_ORDER_MARK, 0, "The message starts with a byte order mark. Omit it.");
        }
        if (label != null) {
            diagnostics.warning(
                    Phase.LEXICAL,
                    Code.LAMBDA_SENDER_LABEL,
                    labelAt,
                    "A sender label precedes the message. Send the message alone.");
        }
        return diagnostics;
    }

    /**
     * Whether a floor mark at an index starts the message. There the longest match from the left takes precedence over
     * a mark at the end (PROTOCOLS L10).
     */
    private boolean opensAt(int index, Tail tail) {
        NormalizedText text = scan(tail, new LambdaDiagnostics(options.strict()));
        if (text == null) {
            return false;
        }
        LambdaMessage prefix = MessageParser.empty();
        int end = Prefix.read(text, prefix, new LambdaDiagnostics(options.strict()));
        return prefix.getFloorBefore() == null && end < text.end() && text.offset(end) == index;
    }

    private NormalizedText scan(Tail tail, LambdaDiagnostics diagnostics) {
        return new TextScanner(wire, from, invalid, tail, options.limits(), diagnostics).scan();
    }

    /** Parses the message; null if its strings or brackets are invalid. The result is valid only without errors. */
    private LambdaMessage read(Tail tail, LambdaDiagnostics diagnostics) {
        NormalizedText text = scan(tail, diagnostics);
        if (text == null) {
            return null;
        }
        LambdaMessage message = MessageParser.parse(text, tail, wire.length, diagnostics);
        message.setLabel(label);
        return message;
    }
}
