package dev.parley.decode;

import dev.parley.codec.Ascii;
import dev.parley.codec.ClaimedNames;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.subit.JsonStrings;
import java.util.Arrays;
import org.apache.avro.specific.SpecificRecord;

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
    private static final int WORK_PER_BYTE = 4;
    private static final int MIN_WORK = 4_096;

    /** Finds the first one; null if there is none. Reads each byte a constant number of times. */
    static InnerAttempt find(byte[] value, WireProtocols protocols, DecodeOptions options) {
        return new Search(protocols, options, value.length).find(value, Encoding.MAX_LAYERS);
    }

    /** Index in the value of the wrong byte; of the string if it is in one with escapes. */
    int offset() {
        return inString ? start : start + error.offset();
    }

    /** The cause and the remedy. */
    String detail() {
        return inString
                ? "Byte " + error.offset() + " of the string's text: " + error.detail() + " Send only this text."
                : error.detail() + " Send only the message, which starts at byte " + start + '.';
    }

    private static final class Search {
        private final WireProtocols protocols;
        private final DecodeOptions options;
        private long work;

        Search(WireProtocols protocols, DecodeOptions options, int length) {
            this.protocols = protocols;
            this.options = options;
            this.work = MIN_WORK + (long) WORK_PER_BYTE * length;
        }

        InnerAttempt find(byte[] value, int layers) {
            InnerAttempt found = null;
            byte before = ':';
            for (int at = 0; at < value.length && found == null && work > 0; at++) {
                work--;
                if (value[at] == '"' && ":[,{(=".indexOf(before) >= 0) {
                    found = inString(value, at, layers);
                }
                if (found == null && InnerMessages.startsSegment(value, at)) {
                    found = attempt(value, at, end(value, at));
                }
                before = Ascii.isSpace(value[at]) ? before : value[at];
            }
            return found;
        }

        /** The content of a string, or a part of it if it has escapes, such as those of lines. */
        private InnerAttempt inString(byte[] value, int quote, int layers) {
            int after = Ascii.afterString(value, quote, value.length);
            work -= after - quote;
            int end = after - 1;
            if (end == quote || value[end] != '"' || work <= 0) {
                return null;
            }
            boolean isPlain = true;
            for (int at = quote + 1; at < end; at++) {
                isPlain &= value[at] != '\\';
            }
            if (isPlain) {
                return attempt(value, quote + 1, end);
            }
            byte[] content = layers > 0 ? JsonStrings.content(value, quote + 1, end) : null;
            InnerAttempt found = content == null ? null : find(content, layers - 1);
            return found == null
                    ? null
                    : new InnerAttempt(
                            found.protocol,
                            new Malformed<>(found.error.code(), found.offset(), found.error.detail()),
                            found.text,
                            quote,
                            true);
        }

        /** Index after the object, the lines of CSP, or the rest of the line or quote, that starts at an index. */
        private int end(byte[] value, int from) {
            if (value[from] == '{') {
                int end = WireProtocols.SUBIT.codec().embeddedEnd(value, from);
                work -= (end < 0 ? -1 - end : end) - from;
                if (end > from) {
                    return end;
                }
            }
            boolean hasLines = hasLines(value, from);
            int at = from;
            while (at < value.length
                    && (!InnerMessages.endsSegment(value, from, at) || hasLines && isInside(value, from, at))) {
                at++;
            }
            work -= at - from;
            while (at > from && Ascii.isSpace(value[at - 1])) {
                at--;
            }
            return at;
        }

        /** Whether CSP may start here. Reads at most three lines, and less in backticks, which one line may have often. */
        private static boolean hasLines(byte[] value, int from) {
            boolean startsLine = from == 0 || value[from - 1] == '\n';
            return startsLine
                    ? value[from] != '{' && WireProtocols.CSP.codec().resembles(value, from)
                    : Ascii.startsWithLetters(value, from, "CSP/1");
        }

        /** Whether a line feed, or a backtick that is not one of those before the lines, is part of them. */
        private static boolean isInside(byte[] value, int from, int at) {
            boolean inBackticks = from > 0 && value[from - 1] == '`';
            return value[at] == '\n' || value[at] == '`' && !inBackticks && !Ascii.startsWith(value, at, "```");
        }

        private InnerAttempt attempt(byte[] value, int from, int to) {
            if (work <= 0 || from == to) {
                return null;
            }
            byte[] text = Arrays.copyOfRange(value, from, to);
            WireProtocol<?> protocol = attempted(text);
            if (protocol == WireProtocols.SLIP) {
                text = Arrays.copyOf(text, slipEnd(text));
            }
            Malformed<?> error = protocol == null ? null : error(text, protocol);
            return error == null || !isEvident(text, protocol, error)
                    ? null
                    : new InnerAttempt(protocol, error, text, from, false);
        }

        private WireProtocol<?> attempted(byte[] text) {
            WireProtocol<?> resembled = protocols.resembled(text);
            return resembled == null
                            && ForeignLines.STARTS.indexOf(text[0]) >= 0
                            && ForeignLines.isCertain(text, 0, text.length)
                            && protocols.evident(text) == WireProtocols.LAMBDA
                    ? WireProtocols.LAMBDA
                    : resembled;
        }

        private <M extends SpecificRecord> Malformed<M> error(byte[] text, WireProtocol<M> protocol) {
            return protocol.codec().decode(text, options) instanceof Malformed<M> malformed
                    ? malformed
                    : protocol.codec().nearMiss(text, WireProtocols.start(text));
        }

        /** Index after the first '#' outside quotes; the length without one. */
        private static int slipEnd(byte[] text) {
            int at = 0;
            while (at < text.length && text[at] != '#') {
                at = text[at] == '"' ? Ascii.afterString(text, at, text.length) : at + 1;
            }
            return Math.min(at + 1, text.length);
        }

        /** Whether an attempt is more than a word of prose or of code, such as "On/off" or the name CSP/1. */
        private static boolean isEvident(byte[] text, WireProtocol<?> protocol, Malformed<?> error) {
            int start = WireProtocols.start(text);
            if (protocol == WireProtocols.LAMBDA) {
                return error.code() != Code.LAMBDA_NO_TYPE && ForeignLines.isCertain(text, start, text.length);
            }
            if (protocol == WireProtocols.CSP) {
                return error.code() == Code.CSP_TEMPLATE
                        || protocol.codec().claimedNames(text).sender() != null && hasHeader(text, start);
            }
            ClaimedNames names = protocol.codec().claimedNames(text);
            return protocol != WireProtocols.SLIP
                    || "@{".indexOf(text[start]) >= 0
                    || names.conversation() != null && names.sender() != null;
        }

        /** Whether text of CSP is in quotes or braces, or has FROM on its first or next line, and another key after it. */
        private static boolean hasHeader(byte[] text, int start) {
            int quote = text[start] == 'b' ? start + 1 : start;
            if (quote < text.length && "{'\"".indexOf(text[quote]) >= 0) {
                return true;
            }
            int from = word(text, start);
            if (!Ascii.startsWithLetters(text, from, "FROM")) {
                int name = indexOf(text, from, '1');
                from = word(text, name + 1);
                from = isKey(text, from, "FROM") ? from : word(text, indexOf(text, name, '\n'));
            }
            if (from < text.length && WireProtocols.CSP.codec().resembles(text, from)) {
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

        private static int indexOf(byte[] text, int from, char wanted) {
            int at = from;
            while (at < text.length && text[at] != wanted) {
                at++;
            }
            return at;
        }

        /** Index of the first letter or digit from an index on. */
        private static int word(byte[] text, int from) {
            int at = from;
            while (at < text.length && !Ascii.isAlphanumeric(text[at])) {
                at++;
            }
            return at;
        }
    }
}
