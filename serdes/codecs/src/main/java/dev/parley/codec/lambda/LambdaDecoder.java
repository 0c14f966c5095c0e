package dev.parley.codec.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.LambdaMessage;
import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Diagnostics;
import dev.parley.codec.Limits;
import dev.parley.codec.Utf8;

/** Decodes one message: finds its start and end, and scans and parses the text between them. */
final class LambdaDecoder {

    private LambdaDecoder() {}

    /**
     * Decodes a message.
     *
     * @param detected whether {@link LambdaDetection} accepts it; otherwise this asks
     */
    static DecodeResult<LambdaMessage> decode(byte[] wire, DecodeOptions options, boolean detected) {
        int limit = options.limits().messageBytes();
        if (wire.length > limit) {
            return new DecodeResult.Malformed<>(
                    Code.MESSAGE_TOO_LARGE,
                    limit,
                    "The message has " + wire.length + " bytes, but the maximum is " + limit + ".");
        }
        int from = start(wire);
        if (from == wire.length) {
            Diagnostics diagnostics = opening(wire, from, options);
            diagnostics.missing(Code.LAMBDA_EMPTY, wire.length, "The message is empty.");
            return diagnostics.result(null);
        }
        Tail tail = Tail.of(wire, from, wire.length);
        if (tail.overlapsFloor(wire, from) && opensAt(tail.floorAt() - 1, wire, from, tail, options)) {
            tail = tail.withoutFloor(wire, from);
        }
        Diagnostics diagnostics = opening(wire, from, options);
        LambdaMessage message = read(wire, from, tail, options, diagnostics);
        if (message != null && tail.checksum() != null && MessageParser.isBare(message)) {
            // Without a statement or context before it, a list is not a checksum.
            diagnostics = opening(wire, from, options);
            message = read(wire, from, Tail.withoutChecksum(wire, from, wire.length), options, diagnostics);
        }
        // A header is enough for detection, but is no evidence about the text after it. A payload may have any form.
        boolean headed = message != null && message.getVersion() != null;
        boolean certain = headed ? message.getEncrypted() != null : detected;
        boolean likely = certain || LambdaDetection.isMessage(wire, labelAt(wire));
        if (!likely) {
            diagnostics.warn(Code.LAMBDA_UNLIKELY);
        }
        return diagnostics.result(message);
    }

    /** The error of the first ragged row of a message that decodes. */
    static String raggedRow(byte[] wire) {
        int from = start(wire);
        Tail tail = Tail.of(wire, from, wire.length);
        return TextScanner.scan(wire, from, tail, Limits.NONE, new Diagnostics(false))
                .raggedRow();
    }

    /** Index after a byte order mark, white space and a sender label (docs/protocols.md L24). */
    private static int start(byte[] wire) {
        int labelAt = labelAt(wire);
        int colon = Alphabet.labelEnd(wire, labelAt);
        return colon < 0 ? labelAt : Ascii.skipSpaces(wire, colon + 1, wire.length);
    }

    /** Index after a byte order mark and white space, where a sender label may be. */
    static int labelAt(byte[] wire) {
        return Ascii.skipSpaces(wire, Utf8.startsWithMark(wire) ? Utf8.MARK_LENGTH : 0, wire.length);
    }

    /** The errors and warnings before the message itself. */
    private static Diagnostics opening(byte[] wire, int from, DecodeOptions options) {
        Diagnostics diagnostics = new Diagnostics(options.strict());
        if (from > 0) {
            reportPreceding(wire, from, diagnostics);
        }
        return diagnostics;
    }

    private static void reportPreceding(byte[] wire, int from, Diagnostics diagnostics) {
        if (Utf8.startsWithMark(wire)) {
            diagnostics.lexical(Code.BYTE_ORDER_MARK, 0, "The message starts with a byte order mark. Omit it.");
        }
        int labelAt = labelAt(wire);
        if (labelAt < from) {
            if (Alphabet.isTrustWord(wire, labelAt, Alphabet.labelEnd(wire, labelAt))) {
                diagnostics.lexical(Code.LAMBDA_MALFORMED, labelAt, LambdaDetection.TRUST);
            }
            diagnostics.lexical(
                    Code.LAMBDA_SENDER_LABEL, labelAt, "A sender label precedes the message. Send the message alone.");
        }
    }

    /**
     * Whether a floor mark at an index starts the message. There the longest match from the left takes precedence over
     * a mark at the end (docs/protocols.md L10).
     */
    private static boolean opensAt(int index, byte[] wire, int from, Tail tail, DecodeOptions options) {
        NormalizedText text = TextScanner.scan(wire, from, tail, options.limits(), new Diagnostics(options.strict()));
        if (text == null) {
            return false;
        }
        LambdaMessage prefix = MessageParser.empty();
        int end = Prefix.read(text, prefix, new Diagnostics(options.strict()));
        return prefix.getFloorBefore() == null && end < text.end() && text.offset(end) == index;
    }

    /** Parses the message; null if its strings or brackets are invalid. The result is valid only without errors. */
    private static LambdaMessage read(
            byte[] wire, int from, Tail tail, DecodeOptions options, Diagnostics diagnostics) {
        NormalizedText text = TextScanner.scan(wire, from, tail, options.limits(), diagnostics);
        if (text == null) {
            return null;
        }
        LambdaMessage message = MessageParser.parse(text, tail, diagnostics);
        if (from > 0) {
            message.setLabel(label(wire, from));
        }
        if (!text.isQuoted()) {
            diagnostics.plain();
        }
        return message;
    }

    /** The sender label before the start of the message; null if there is none. */
    private static String label(byte[] wire, int from) {
        int labelAt = labelAt(wire);
        return labelAt < from ? new String(wire, labelAt, Alphabet.labelEnd(wire, labelAt) - labelAt, UTF_8) : null;
    }
}
