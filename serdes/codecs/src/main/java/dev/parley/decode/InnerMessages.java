package dev.parley.decode;

import dev.parley.avro.InnerMessage;
import dev.parley.avro.LambdaKind;
import dev.parley.avro.LambdaMessage;
import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds complete messages inside a value that is not one message: in prose, code fences, tags, encodings, envelopes, or
 * after each other. Reads from left to right. All attempts together read at most {@value #WORK_PER_BYTE} times the
 * bytes of the value, and at most {@value #MAX_INNER} messages are found, so that no value is expensive.
 */
public final class InnerMessages {
    /** Maximum number of messages that are found in one value. */
    public static final int MAX_INNER = 32;

    private static final int WORK_PER_BYTE = 8;
    private static final int MIN_WORK = 4_096;
    private static final int MAX_FENCE = 32;

    private final byte[] value;
    private final WireProtocols protocols;
    private final DecodeOptions options;
    private final List<InnerMessage> found = new ArrayList<>();
    private long work;

    private InnerMessages(byte[] value, WireProtocols protocols, DecodeOptions options) {
        this.value = value;
        this.protocols = protocols;
        this.options = options;
        this.work = MIN_WORK + (long) WORK_PER_BYTE * value.length;
    }

    /** Finds the messages, in the order of their bytes; none overlaps another. */
    static List<InnerMessage> find(byte[] value, WireProtocols protocols, DecodeOptions options) {
        InnerMessages messages = new InnerMessages(value, protocols, options);
        messages.search();
        return messages.found;
    }

    /** Number of bytes that the search reads, for tests of its bound. */
    static long work(byte[] value, WireProtocols protocols, DecodeOptions options) {
        InnerMessages messages = new InnerMessages(value, protocols, options);
        long before = messages.work;
        messages.search();
        return before - messages.work;
    }

    /**
     * The bytes of an inner message: its range of the value, without the {@link Encoding}s around it.
     *
     * @param value the value in which it was found
     * @throws IndexOutOfBoundsException if the range is not inside the value
     */
    public static byte[] bytes(byte[] value, InnerMessage inner) {
        return Encoding.withoutLayers(range(value, inner));
    }

    /** The encoding of the range of an inner message; null without one. */
    static Encoding encoding(byte[] value, InnerMessage inner) {
        return Encoding.of(range(value, inner));
    }

    private static byte[] range(byte[] value, InnerMessage inner) {
        return Arrays.copyOfRange(value, inner.getStart(), inner.getEnd());
    }

    private void search() {
        int at = encodedEnd();
        while (at < value.length && found.size() < MAX_INNER && work > 0) {
            work--;
            at = Math.max(at + 1, messageAt(at));
        }
    }

    /** Adds the message of which the whole value is an encoding. Returns the index after it; 0 if there is none. */
    private int encodedEnd() {
        if (Encoding.of(value) == Encoding.UTF_16) {
            return addEncoded(value, 0, value.length) ? value.length : 0;
        }
        int start = WireProtocols.start(value);
        int end = trimmed(start, value.length);
        return addEncoded(Arrays.copyOfRange(value, start, end), start, end) ? value.length : 0;
    }

    /** Adds the message of which a text is an encoding. */
    private boolean addEncoded(byte[] text, int start, int end) {
        work -= text.length;
        byte[] decoded = Encoding.decoded(text);
        for (int layer = 1; decoded != null; layer++) {
            work -= decoded.length;
            if (add(decoded, start, end)) {
                return true;
            }
            decoded = layer < Encoding.MAX_LAYERS ? Encoding.decoded(decoded) : null;
        }
        return false;
    }

    /** Adds the message that starts at an index. Returns the index after it; -1 if there is none. */
    private int messageAt(int at) {
        int end = -1;
        if (value[at] == '"' && isAfter(at, ":[,{(=")) {
            end = string(at);
        } else if (Encoding.isEscapedQuote(value, at) && isAfter(at, ":[,{")) {
            end = escapedString(at);
        }
        for (int i = 0; i < protocols.all().size() && end < 0; i++) {
            end = embedded(protocols.all().get(i), at);
        }
        return end < 0 && startsSegment(at) ? segment(at) : end;
    }

    /** A message that its own delimiters end. */
    private int embedded(WireProtocol<?> protocol, int at) {
        int end = protocol.codec().embeddedEnd(value, at);
        int read = (end < 0 ? -1 - end : end) - at;
        work -= read;
        if (end <= at || work <= 0) {
            return -1;
        }
        byte[] text = Arrays.copyOfRange(value, at, end);
        if (add(text, at, end, protocol)) {
            return end;
        }
        // Without an end mark, a message may include the next one.
        work -= 4L * read;
        int next = work > 0 ? ForeignLines.first(text, protocol, protocols) : -1;
        end = next < 0 ? -1 : trimmed(at, at + next);
        return end > at && add(Arrays.copyOfRange(value, at, end), at, end, protocol) ? end : -1;
    }

    /** Whether one of these characters, or the start of the text, precedes an index and white space before it. */
    private boolean isAfter(int at, String characters) {
        int before = at - 1;
        while (before >= 0 && Ascii.isSpace(value[before])) {
            before--;
            work--;
        }
        return before < 0 || characters.indexOf(value[before]) >= 0;
    }

    /** A message that is the content of a JSON string. */
    private int string(int quote) {
        int end = quote + 1;
        boolean escaped = false;
        while (end < value.length && value[end] != '"') {
            escaped |= value[end] == '\\';
            end += value[end] == '\\' ? 2 : 1;
        }
        work -= end - quote;
        if (end >= value.length || work <= 0) {
            return -1;
        }
        // Without escapes, the range of the text is that of the message.
        int skipped = escaped ? 0 : 1;
        int from = quote + skipped;
        int to = end + 1 - skipped;
        byte[] text = Arrays.copyOfRange(value, from, to);
        return addEncoded(text, from, to) || !escaped && add(text, from, to) ? end + 1 : -1;
    }

    /** A message that is the content of a JSON string in JSON that is itself in a JSON string. */
    private int escapedString(int quote) {
        int content = quote + 2;
        int end = content;
        boolean escaped = false;
        while (end < value.length && value[end] != '"' && !Encoding.isEscapedQuote(value, end)) {
            boolean escape = value[end] == '\\';
            boolean backslash = escape && end + 1 < value.length && value[end + 1] == '\\';
            escaped |= escape;
            end += escape ? 2 : 1;
            if (backslash && end < value.length) {
                // A backslash of the inner string: it escapes the next character, which may be escaped, too.
                end += value[end] == '\\' ? 2 : 1;
            }
        }
        work -= end - quote;
        if (work <= 0 || end + 1 >= value.length || value[end] == '"') {
            return -1;
        }
        int from = escaped ? quote : content;
        int to = escaped ? end + 2 : end;
        byte[] text = Arrays.copyOfRange(value, from, to);
        return addEncoded(text, from, to) || !escaped && add(text, from, to) ? end + 2 : -1;
    }

    private boolean startsSegment(int at) {
        return startsSegment(value, at) && (value[at] != '@' || !isInProse(value, at));
    }

    /**
     * Whether a message without delimiters may start here, in other text: on a new line, or after a tag, a backtick or a
     * colon. An entity of Λ, or an '@' as in an attempt at nSLIP, may also follow a quote, emphasis, or a list mark or
     * clause and a space.
     */
    static boolean startsSegment(byte[] value, int at) {
        if (Ascii.isSpace(value[at])) {
            return false;
        }
        byte before = at == 0 ? (byte) '\n' : value[at - 1];
        boolean isDelimited = Ascii.isSpace(before)
                ? before == '\n' || at > 1 && ":>]".indexOf(value[at - 2]) >= 0
                : "`>]".indexOf(before) >= 0;
        return isDelimited || isInProse(value, at) && (value[at] == '@' || isEntity(value, at));
    }

    /** Whether a quote or emphasis, or a list mark or clause and a space, precedes an index. */
    private static boolean isInProse(byte[] value, int at) {
        byte before = at == 0 ? (byte) '\n' : value[at - 1];
        return Ascii.isSpace(before)
                ? before != '\n' && at > 1 && ",.!?;*-".indexOf(value[at - 2]) >= 0
                : before == '\'' || before == '*';
    }

    /** Whether a type, perhaps white space, and an entity with its verb and a slash are here, such as !Ik/ or !I*k/. */
    private static boolean isEntity(byte[] value, int type) {
        if (value[type] == '@' || ForeignLines.STARTS.indexOf(value[type]) < 0) {
            return false;
        }
        int entity = type + 1;
        while (entity < value.length && value[entity] == ' ') {
            entity++;
        }
        int verb = entity + 1 < value.length && value[entity + 1] == '*' ? entity + 2 : entity + 1;
        return verb + 1 < value.length
                && value[entity] >= 'A'
                && value[entity] <= 'Z'
                && value[verb] >= 'a'
                && value[verb] <= 'z'
                && value[verb + 1] == '/';
    }

    /**
     * Whether the private mark of Λ, in any form, a colon, and perhaps quotes or marks, precede an index on its line:
     * without them, the text there would be public.
     */
    private boolean isPrivate(int start) {
        int colon = start - 1;
        while (colon >= 0 && ":\n".indexOf(value[colon]) < 0 && !Ascii.isAlphanumeric(value[colon])) {
            colon--;
        }
        int to = Math.max(colon, 0);
        while (to > 0 && (Ascii.isSpace(value[to - 1]) || "*_`".indexOf(value[to - 1]) >= 0)) {
            to--;
        }
        int from = to;
        while (from > 0 && Ascii.isAlphanumeric(value[from - 1])) {
            from--;
        }
        work -= start - from;
        return colon > 0 && value[colon] == ':' && isPrivateMark(from, to);
    }

    private boolean isPrivateMark(int from, int to) {
        return to - from == 3 && Ascii.startsWithLetters(value, from, "prv")
                || to - from == 7 && Ascii.startsWithLetters(value, from, "private");
    }

    /**
     * A message without delimiters: the lines of a code fence, or else one line or the part of it that a quote or tag
     * ends. Its form must leave no doubt, because any punctuation may start it.
     */
    private int segment(int at) {
        int end = isAfterFence(at) ? fenceEnd(at) : at;
        if (end > at && ForeignLines.isCertain(value, at, end) && add(Arrays.copyOfRange(value, at, end), at, end)) {
            return end;
        }
        end = at;
        while (end < value.length && !endsSegment(value, at, end)) {
            end++;
        }
        work -= end - at;
        end = trimmed(at, end);
        if (work > 0 && Ascii.isAlphanumeric(value[at]) && addEncoded(Arrays.copyOfRange(value, at, end), at, end)) {
            return end;
        }
        return work > 0 && ForeignLines.isCertain(value, at, end) && add(Arrays.copyOfRange(value, at, end), at, end)
                ? end
                : -1;
    }

    /** Whether the line, quote, emphasis or tag ends here in which a text starts. */
    static boolean endsSegment(byte[] value, int start, int at) {
        byte b = value[at];
        byte next = at + 1 < value.length ? value[at + 1] : 0;
        byte open = start == 0 ? 0 : value[start - 1];
        boolean isBold = open == '*' && start > 1 && value[start - 2] == '*';
        return b == '\n'
                || b == '`'
                || b == '<' && (next == '|' || next == '/' || isTag(value, at))
                || b == '[' && next == '/'
                || b == open && (b == '\'' || b == '*' && (!isBold || next == '*'));
    }

    /** Whether a tag, such as {@code <eos>}, ends the line or the value here. */
    private static boolean isTag(byte[] value, int open) {
        int at = open + 1;
        while (at < value.length && (Ascii.isAlphanumeric(value[at]) || value[at] == '_')) {
            at++;
        }
        return at > open + 1
                && at < value.length
                && value[at] == '>'
                && (at + 1 == value.length || Ascii.isSpace(value[at + 1]));
    }

    private boolean isAfterFence(int at) {
        int line = at - 1;
        while (line > 0 && value[line - 1] != '\n' && at - line < MAX_FENCE) {
            line--;
        }
        return line >= 0 && value[at - 1] == '\n' && Ascii.startsWith(value, line, "```");
    }

    private int fenceEnd(int from) {
        int at = from;
        while (at < value.length && !(value[at] == '`' && Ascii.startsWith(value, at, "```"))) {
            at++;
        }
        work -= at - from;
        return trimmed(from, at);
    }

    private int trimmed(int from, int end) {
        int at = end;
        while (at > from && Ascii.isSpace(value[at - 1])) {
            at--;
        }
        return at;
    }

    /** Like the other method for a message of any protocol. */
    private boolean add(byte[] text, int start, int end) {
        return add(text, start, end, null);
    }

    /**
     * Adds a message with its range if the text is one, except after a private mark.
     *
     * @param delimited the protocol whose delimiters the text has; null for any
     * @return whether the text is a message
     */
    private boolean add(byte[] text, int start, int end, WireProtocol<?> delimited) {
        work -= 2L * text.length;
        WireProtocol<?> protocol = protocols.evident(text);
        if (protocol == null
                || delimited != null && protocol != delimited
                || protocol == WireProtocols.LAMBDA
                        && !ForeignLines.isCertain(text, WireProtocols.start(text), text.length)
                || !(protocol.codec().decodeDetected(text, options) instanceof DecodeResult.Decoded<?> decoded)
                || decoded.warnings().contains(Code.LAMBDA_UNLIKELY)
                || isBracketed(decoded)
                || ForeignLines.inDecoded(text, protocol, decoded, protocols) >= 0) {
            return false;
        }
        if (protocol != WireProtocols.LAMBDA || !isPrivate(start)) {
            found.add(new InnerMessage(protocol.name(), start, end));
        }
        return true;
    }

    /** Whether a message of Λ is only data or a context as other languages have them, such as {a:1} or {id:3}. */
    private static boolean isBracketed(DecodeResult.Decoded<?> decoded) {
        if (!(decoded.message() instanceof LambdaMessage lambda) || lambda.getVersion() != null) {
            return false;
        }
        return lambda.getKind() == LambdaKind.DATA_ONLY
                || lambda.getKind() == LambdaKind.CONTEXT_ONLY
                        && lambda.getDefinitions().isEmpty()
                        && lambda.getContexts().stream()
                                .flatMap(context -> context.getEntries().stream())
                                .noneMatch(entry -> entry.getKey().equals("ns"));
    }
}
