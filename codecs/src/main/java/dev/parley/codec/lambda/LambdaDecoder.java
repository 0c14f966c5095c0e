package dev.parley.codec.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.LambdaMessage;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Utf8;
import dev.parley.codec.lambda.Findings.Phase;

/** Decodes one message: tells where it starts and ends, and has what is between scanned and parsed. */
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
                    "The message has " + wire.length + " bytes, the limit is " + limit + ".");
        }
        findStart();
        if (from == wire.length) {
            Findings findings = opening();
            findings.fault(Phase.MISSING, Code.LAMBDA_EMPTY, wire.length, "The message is empty.");
            return findings.result(null);
        }
        invalid = Utf8.firstInvalid(wire, from, wire.length);
        Tail tail = Tail.of(wire, from, wire.length);
        if (tail.overlapsFloor(wire, from) && opensAt(tail.floorAt() - 1, tail)) {
            tail = tail.withoutFloor(wire, from);
        }
        Findings findings = opening();
        LambdaMessage message = read(tail, findings);
        if (message != null && tail.checksum() != null && MessageParser.isBare(message)) {
            // What has neither statement nor context before it is no checksum but a list.
            findings = opening();
            message = read(Tail.withoutChecksum(wire, from, wire.length), findings);
        }
        return findings.result(message);
    }

    /** Passes over a byte order mark, white space and a sender label {@code [A-Z][A-Za-z0-9_]*: } (PROTOCOLS L24). */
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

    /** What is found before the message proper. */
    private Findings opening() {
        Findings findings = new Findings(options.strict());
        if (afterMark() > 0) {
            findings.warning(
                    Phase.LEXICAL, Code.BYTE_ORDER_MARK, 0, "The message starts with a byte order mark; leave it out.");
        }
        if (label != null) {
            findings.warning(
                    Phase.LEXICAL,
                    Code.LAMBDA_SENDER_LABEL,
                    labelAt,
                    "A sender label stands before the message; send the message alone.");
        }
        return findings;
    }

    /** Whether a floor mark at an index opens the message: there the longest match from the left wins over a mark at the end (PROTOCOLS L10). */
    private boolean opensAt(int index, Tail tail) {
        Text text = scan(tail, new Findings(options.strict()));
        if (text == null) {
            return false;
        }
        LambdaMessage prefix = MessageParser.empty();
        int end = Prefix.read(text, prefix, new Findings(options.strict()));
        return prefix.getFloorBefore() == null && end < text.end() && text.offset(end) == index;
    }

    private Text scan(Tail tail, Findings findings) {
        return new TextScanner(wire, from, invalid, tail, options.limits(), findings).scan();
    }

    /** Reads the message; null when its strings or brackets are not sound. What it returns counts only when nothing was found faulty. */
    private LambdaMessage read(Tail tail, Findings findings) {
        Text text = scan(tail, findings);
        if (text == null) {
            return null;
        }
        LambdaMessage message = MessageParser.parse(text, tail, wire.length, findings);
        message.setLabel(label);
        return message;
    }
}
