package dev.parley.diagnosis;

import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.csp.CspWords;
import dev.parley.decode.ClaimedNames;
import dev.parley.decode.WireProtocol;
import dev.parley.decode.WireProtocols;

/**
 * A text that is nearly a message, inside a value without a complete one: a line, an object, a JSON string or the lines
 * of CSP.
 *
 * @param protocol the protocol that it resembles
 * @param error its decode error
 * @param text its bytes, without escapes
 * @param start index of its first byte in the value; of the quote if it is in a string with escapes
 * @param inString whether it is in a string with escapes, so that the offset of the error is that in its text
 */
record InnerAttempt(WireProtocol<?> protocol, Malformed<?> error, byte[] text, int start, boolean inString) {
    /**
     * The attempt in a part of a text.
     *
     * @param from index in the text of the first byte of the part
     */
    static InnerAttempt of(InnerText text, int from, byte[] part, WireProtocol<?> protocol, Malformed<?> error) {
        // The text of the outermost string with escapes: its author sees that one.
        InnerText string = text;
        int wrong = from + error.offset();
        while (string.layers() > 1 || string.layers() == 1 && string.outer().layers() == 1) {
            wrong = string.outerIndex(wrong);
            string = string.outer();
        }
        return string.layers() == 0
                ? new InnerAttempt(protocol, error, part, text.valueIndex(from), false)
                : new InnerAttempt(
                        protocol,
                        new Malformed<>(error.code(), wrong, error.detail()),
                        part,
                        // The quote before the string.
                        Math.max(0, string.valueIndex(0) - 1),
                        true);
    }

    /** Index in the value of the wrong byte; of the string if it is in one with escapes. */
    int offset() {
        return inString ? start : start + error.offset();
    }

    /** The cause and the remedy. */
    String detail() {
        if (error.code() == Code.SLIP_VERSION) {
            return error.detail();
        }
        return inString
                ? "Byte " + error.offset() + " of the string's text: " + error.detail() + " Send only this text."
                : error.detail() + " Send only the message, which starts at byte " + start + '.';
    }

    /** Whether an attempt may start here: an object with keys of messages, the first line of CSP, or other text. */
    static boolean mayStart(InnerText text, int at) {
        boolean isObject = text.bytes[at] == '{' && text.objectEnd(at) > 0;
        return isObject
                ? text.isAttempt(at)
                : isFirstLine(text.bytes, at)
                        || InnerMessages.startsSegment(text.bytes, at) && (text.bytes[at] == '{' || !text.isJson(at));
    }

    /** Whether a line ends with CSP/1 here, after an indentation or a mark. */
    private static boolean isFirstLine(byte[] bytes, int at) {
        return CspWords.isFirstLine(bytes, at) && (at == 0 || !Ascii.isAlphanumeric(bytes[at - 1]));
    }

    /** Index after the object, the lines of CSP, or the rest of the line or quote, that starts at an index. */
    static int end(InnerText text, int from, InnerWork work) {
        byte[] bytes = text.bytes;
        if (bytes[from] == '{' && text.objectEnd(from) > 0) {
            return text.objectEnd(from);
        }
        if (!hasLines(bytes, from)) {
            return text.segmentEnd(from);
        }
        int at = from;
        while (at < bytes.length && (!text.endsSegment(from, at) || isInside(bytes, from, at))) {
            at++;
        }
        work.spend(at - from);
        return text.trimmed(from, at);
    }

    /**
     * Whether CSP may start here. Reads at most three lines, and less in backticks, which one line may have often.
     */
    private static boolean hasLines(byte[] value, int from) {
        boolean startsLine = from == 0 || value[from - 1] == '\n';
        return startsLine
                ? value[from] != '{' && NearMisses.of(WireProtocols.CSP).resembles(value, from)
                : Ascii.startsWithLetters(value, from, "CSP/1");
    }

    /** Whether a line feed, or a backtick that is not one of those before the lines, is part of them. */
    private static boolean isInside(byte[] value, int from, int at) {
        boolean inBackticks = from > 0 && value[from - 1] == '`';
        return value[at] == '\n' || value[at] == '`' && !inBackticks && !Ascii.startsWith(value, at, "```");
    }

    /** The protocol of which a part of a text is an attempt; null if it is none. */
    static WireProtocol<?> attempted(byte[] text, WireProtocols protocols) {
        if (Ascii.startsWith(text, 0, "SLIP v")) {
            return WireProtocols.SLIP;
        }
        WireProtocol<?> resembled = ValueDiagnosis.attempted(text, protocols);
        return resembled == null
                        && ForeignLines.STARTS.indexOf(text[0]) >= 0
                        && ForeignLines.isCertain(text, 0, text.length)
                        && protocols.evident(text) == WireProtocols.LAMBDA
                ? WireProtocols.LAMBDA
                : resembled;
    }

    /** The error of an attempt; null if it is a message. */
    static Malformed<?> error(byte[] text, WireProtocol<?> protocol, DecodeOptions options) {
        return protocol.codec().decode(text, options) instanceof Malformed<?> malformed
                ? ValueDiagnosis.explain(text, protocol.symbol(), malformed)
                : NearMisses.of(protocol).nearMiss(text, WireProtocols.start(text));
    }

    /** Index after the first '#' outside quotes; the length without one. */
    static int slipEnd(byte[] text) {
        int at = 0;
        while (at < text.length && text[at] != '#') {
            at = text[at] == '"' ? Ascii.afterString(text, at, text.length) : at + 1;
        }
        return Math.min(at + 1, text.length);
    }

    /** Whether an attempt is more than a word of prose or of code, such as "On/off" or the name CSP/1. */
    static boolean isEvident(byte[] text, WireProtocol<?> protocol, Malformed<?> error) {
        int start = WireProtocols.start(text);
        if (protocol == WireProtocols.LAMBDA) {
            return error.code() != Code.LAMBDA_NO_TYPE && ForeignLines.isCertain(text, start, text.length);
        }
        if (protocol == WireProtocols.CSP) {
            return error.code() == Code.CSP_TEMPLATE
                    || NearMisses.of(protocol).claimedNames(text).sender() != null && hasHeader(text, start);
        }
        if (protocol == WireProtocols.SUBIT) {
            // Events of other formats have an object in payload.
            return error.code() != Code.SUBIT_PAYLOAD_TYPE || text[error.offset()] != '{';
        }
        ClaimedNames names = NearMisses.of(protocol).claimedNames(text);
        return protocol != WireProtocols.SLIP
                || error.code() == Code.SLIP_VERSION
                || "@{".indexOf(text[start]) >= 0
                || names.conversation() != null && names.sender() != null;
    }

    /**
     * Whether text of CSP is in quotes or braces, or has FROM on its first or next line, and another key after it.
     */
    private static boolean hasHeader(byte[] text, int start) {
        int quote = text[start] == 'b' ? start + 1 : start;
        if (quote < text.length && "{'\"".indexOf(text[quote]) >= 0) {
            return true;
        }
        int from = word(text, start);
        if (!Ascii.startsWithLetters(text, from, "FROM")) {
            int name = Ascii.skip(text, from, text.length, b -> b != '1');
            from = word(text, name + 1);
            from = isKey(text, from, "FROM") ? from : word(text, Ascii.afterLine(text, name));
        }
        if (from < text.length && NearMisses.of(WireProtocols.CSP).resembles(text, from)) {
            return true;
        }
        boolean found = false;
        int end = isKey(text, from, "FROM") ? text.length : from;
        for (int at = from + 1; at < end && !found; at++) {
            found = !Ascii.isAlphanumeric(text[at - 1])
                    && (isKey(text, at, "TO") || isKey(text, at, "CTX") || isKey(text, at, "INTENT"));
        }
        return found;
    }

    /** Whether a key is here in upper case, or in any case before a colon or an equals sign. */
    private static boolean isKey(byte[] text, int at, String key) {
        int after = at + key.length();
        boolean isWhole = after == text.length || after < text.length && !Ascii.isAlphanumeric(text[after]);
        return isWhole
                && (Ascii.startsWith(text, at, key)
                        || after < text.length
                                && ":=".indexOf(text[after]) >= 0
                                && Ascii.startsWithLetters(text, at, key));
    }

    /** Index of the first letter or digit from an index on. */
    private static int word(byte[] text, int from) {
        return Ascii.skip(text, from, text.length, b -> !Ascii.isAlphanumeric(b));
    }
}
