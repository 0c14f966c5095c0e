package dev.parley.diagnosis;

import dev.parley.avro.InnerMessage;
import dev.parley.avro.LambdaKind;
import dev.parley.avro.LambdaMessage;
import dev.parley.codec.Ascii;
import dev.parley.codec.Code;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.DecodeResult.Malformed;
import dev.parley.codec.RecordHeaders;
import dev.parley.codec.lambda.Alphabet;
import dev.parley.codec.lambda.LambdaDetection;
import dev.parley.decode.WireProtocol;
import dev.parley.decode.WireProtocols;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds complete messages inside a value that is not one message: in prose, code fences, tags, strings, encodings,
 * envelopes, or after each other. Reads from left to right. All attempts together read at most
 * {@value #WORK_PER_BYTE} times as many bytes as the value has, of a large one {@value #MAX_WORK}, and at most
 * {@value #MAX_INNER} messages are found, so that no value is expensive.
 */
public final class InnerMessages {
    /** Maximum number of messages that are found in one value. */
    public static final int MAX_INNER = 32;

    private static final int WORK_PER_BYTE = 40;
    private static final int MAX_WORK = 16 * ValueDiagnosis.MAX_DIAGNOSED;
    private static final int MAX_FENCE = 32;
    /** Number of bytes whose reading takes as long as an error of a short message. */
    private static final int DECODING = 64;

    private static final String CDATA = "<![CDATA[";
    private static final String CDATA_END = "]]>";
    private static final String BASE64_MARK = ";base64";

    final InnerWork work;

    private final byte[] value;
    private final WireProtocols protocols;
    private final DecodeOptions options;
    private final boolean needsAttempt;
    private final List<InnerMessage> found = new ArrayList<>();
    private InnerAttempt attempt;
    private int privateMark = -1;
    private boolean isFinished;

    private InnerMessages(byte[] value, WireProtocols protocols, DecodeOptions options, boolean needsAttempt) {
        this.value = ValueDiagnosis.beginning(value);
        this.protocols = protocols;
        this.options = options;
        this.needsAttempt = needsAttempt;
        this.work = new InnerWork(WORK_PER_BYTE, Math.min(value.length, MAX_WORK / WORK_PER_BYTE));
        this.isFinished = this.value == value;
    }

    /**
     * Searches a value.
     *
     * @param needsAttempt whether to find an attempt, which takes longer
     */
    static InnerMessages in(byte[] value, WireProtocols protocols, DecodeOptions options, boolean needsAttempt) {
        InnerMessages messages = new InnerMessages(value, protocols, options, needsAttempt);
        if (!messages.isEncoded()) {
            // The keys of a CloudEvent are its own.
            int from = ForeignFormat.isCloudEvent(messages.value) ? WireProtocols.start(value) + 1 : 0;
            messages.search(InnerText.ofValue(messages.value, messages.work), from);
        }
        // A message at the end of what is searched may continue.
        messages.found.removeIf(inner -> inner.getEnd() < value.length && inner.getEnd() == messages.value.length);
        return messages;
    }

    /** The messages, in the order of their bytes; none overlaps another. */
    List<InnerMessage> found() {
        return found;
    }

    /** Index of the private mark before a message that is not among those found because of it; -1 if there is none. */
    int privateMark() {
        return privateMark;
    }

    /** The first attempt at a message; null if there is none, or the value has a message. */
    InnerAttempt attempt() {
        return found.isEmpty() ? attempt : null;
    }

    /** Whether the value was searched to its end, so that it has no further message. */
    boolean isFinished() {
        return isFinished;
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
        return Encoding.ofRange(range(value, inner));
    }

    private static byte[] range(byte[] value, InnerMessage inner) {
        return Arrays.copyOfRange(value, inner.getStart(), inner.getEnd());
    }

    /** Adds the message that the whole value encodes. */
    private boolean isEncoded() {
        InnerText text = InnerText.ofValue(value, work);
        int start = 0;
        int end = value.length;
        if (Encoding.of(value) != Encoding.UTF_16) {
            start = WireProtocols.start(value);
            end = text.trimmed(start, end);
        }
        return addEncoded(text, Arrays.copyOfRange(value, start, end), start, end);
    }

    /**
     * Searches a text.
     *
     * @param from index of the first byte that may start an attempt
     */
    private void search(InnerText text, int from) {
        byte before = ':';
        int attempted = from;
        int at = 0;
        while (at < text.bytes.length && found.size() < MAX_INNER && !work.isSpent()) {
            work.spend(1);
            boolean isStart = isStart(text.bytes, at);
            int end = isStart ? Math.max(at + 1, read(text, at, before)) : at + 1;
            if (isStart
                    && end == at + 1
                    && at >= attempted
                    && !hasAttempt()
                    && !opensString(text, at, before)
                    && InnerAttempt.mayStart(text, at)) {
                attempted = attempt(text, at, InnerAttempt.end(text, at, work));
            }
            before = end == at + 1 && Ascii.isSpace(text.bytes[at]) ? before : text.bytes[end - 1];
            at = end;
        }
        isFinished &= at >= text.bytes.length;
    }

    /** Whether anything may start here: a visible character that is not inside a word. */
    private static boolean isStart(byte[] bytes, int at) {
        byte b = bytes[at];
        return (b < 0 || b > ' ') && (at == 0 || !Ascii.isAlphanumeric(b) || !Ascii.isAlphanumeric(bytes[at - 1]));
    }

    /** Whether an attempt was found, or is not needed, such as after a message. */
    private boolean hasAttempt() {
        return attempt != null || !found.isEmpty() || !needsAttempt;
    }

    /** Finds the attempt that a part of a text is. Returns the index after it if it is a message, else its first. */
    private int attempt(InnerText text, int at, int end) {
        if (work.isSpent() || end <= at || hasAttempt()) {
            return at;
        }
        work.spend(DECODING + 3L * (end - at));
        byte[] part = Arrays.copyOfRange(text.bytes, at, end);
        WireProtocol<?> protocol = InnerAttempt.attempted(part, protocols);
        if (protocol == null) {
            return at;
        }
        if (protocol == WireProtocols.SLIP) {
            part = Arrays.copyOf(part, InnerAttempt.slipEnd(part));
        }
        Malformed<?> error = InnerAttempt.error(part, protocol, options);
        if (error != null && InnerAttempt.isEvident(part, protocol, error)) {
            attempt = InnerAttempt.of(text, at, part, protocol, error);
        }
        return error == null ? at + part.length : at;
    }

    /** Whether a JSON string opens at an index: a quote after punctuation. */
    private static boolean opensString(InnerText text, int at, byte before) {
        return text.bytes[at] == '"' && ":[,{(=".indexOf(before) >= 0;
    }

    /**
     * Adds the messages in the string or section that starts at an index, or the message.
     *
     * @param before the last byte before the index that is not white space
     * @return the index after it; not after the index if nothing starts there
     */
    private int read(InnerText text, int at, byte before) {
        byte[] bytes = text.bytes;
        int end = -1;
        if (opensString(text, at, before)) {
            end = string(text, at);
        } else if (Encoding.isEscapedQuote(bytes, at) && ":[,{".indexOf(before) >= 0) {
            end = stringsIn(text, at);
        } else if (bytes[at] == '<' && Ascii.startsWith(bytes, at, CDATA)) {
            end = section(text, at + CDATA.length());
        } else if (bytes[at] == ',' && at >= BASE64_MARK.length()) {
            end = Ascii.startsWith(bytes, at - BASE64_MARK.length(), BASE64_MARK) ? base64(text, at + 1) : -1;
        }
        for (int i = 0; i < protocols.all().size() && end < 0; i++) {
            end = embedded(text, protocols.all().get(i), at);
        }
        return end < 0 && startsSegment(bytes, at) ? segment(text, at) : end;
    }

    /** A message that its own delimiters end. */
    private int embedded(InnerText text, WireProtocol<?> protocol, int at) {
        int end;
        if (protocol == WireProtocols.SUBIT) {
            end = text.bytes[at] == '{' ? text.packetEnd(at) : -1;
        } else {
            end = NearMisses.of(protocol).embeddedEnd(text.bytes, at);
            work.spend((end < 0 ? -1 - end : end) - at);
        }
        if (end <= at || work.isSpent()) {
            return -1;
        }
        int inside = isEnclosed(text.bytes, at, end) ? text.trimmed(at, end - 1) : end;
        if (inside < end && add(text, Arrays.copyOfRange(text.bytes, at, inside), at, inside, protocol)) {
            return inside;
        }
        byte[] message = Arrays.copyOfRange(text.bytes, at, end);
        if (add(text, message, at, end, protocol)) {
            return end;
        }
        // Without an end mark, a message may include the next one.
        work.spend(4L * (end - at));
        int next = work.isSpent() ? -1 : ForeignLines.first(message, protocol, protocols);
        end = next < 0 ? -1 : text.trimmed(at, at + next);
        return end > at && add(text, Arrays.copyOfRange(text.bytes, at, end), at, end, protocol) ? end : -1;
    }

    /** Whether a bracket directly before a range has its counterpart as the last byte of the range. */
    private static boolean isEnclosed(byte[] bytes, int from, int to) {
        int bracket = from == 0 ? -1 : "([".indexOf(bytes[from - 1]);
        return bracket >= 0 && bytes[to - 1] == ")]".charAt(bracket);
    }

    /**
     * The messages in a JSON string: its content, or in its content. One without escapes that is not closed is none.
     */
    private int string(InnerText text, int quote) {
        int end = quote(text, quote + 1);
        boolean closed = end < text.bytes.length;
        boolean escaped = text.isEscaped(quote + 1, end);
        if (!closed && !escaped) {
            return -1;
        }
        InnerText content = escaped ? text.unescaped(quote + 1, end) : text.part(quote + 1, end);
        // Without escapes, the range of the text is that of the message.
        int skipped = escaped ? 0 : 1;
        if (!closed || !addWhole(text, content.bytes, quote + skipped, end + 1 - skipped)) {
            if (!escaped) {
                attempt(text, quote + 1, end);
            }
            searchInside(content);
        }
        return closed ? end + 1 : end;
    }

    /** Index of the first quote that is not escaped; the length if there is none. */
    private int quote(InnerText text, int from) {
        int at = from;
        while (at < text.bytes.length && text.bytes[at] != '"') {
            at += text.bytes[at] == '\\' ? 2 : 1;
        }
        work.spend(at - from);
        return Math.min(at, text.bytes.length);
    }

    /** The messages in JSON with escapes up to a quote, as if it were in a JSON string. */
    private int stringsIn(InnerText text, int from) {
        int end = quote(text, from);
        searchInside(text.unescaped(from, end));
        return end;
    }

    /** The messages in a CDATA section of XML. */
    private int section(InnerText text, int from) {
        int end = Ascii.find(text.bytes, from, text.bytes.length, CDATA_END);
        work.spend(end - from);
        if (end == text.bytes.length) {
            return -1;
        }
        InnerText content = text.part(from, end);
        if (!addWhole(text, content.bytes, from, end)) {
            searchInside(content);
        }
        return end + CDATA_END.length();
    }

    /** The message in Base64 of a data URL. */
    private int base64(InnerText text, int from) {
        int end = Ascii.skip(text.bytes, from, text.bytes.length, Encoding::isBase64);
        work.spend(end - from);
        return addEncoded(text, Arrays.copyOfRange(text.bytes, from, end), from, end) ? end : -1;
    }

    private void searchInside(InnerText text) {
        if (text.layers() <= Encoding.MAX_LAYERS) {
            search(text, 0);
        } else {
            isFinished = false;
        }
    }

    /** Adds the message that a part of a text is, perhaps in encodings. */
    private boolean addWhole(InnerText text, byte[] content, int start, int end) {
        return add(text, content, start, end, null) || addEncoded(text, content, start, end);
    }

    /** Adds the message that a part of a text encodes. */
    private boolean addEncoded(InnerText text, byte[] content, int start, int end) {
        byte[] decoded = Encoding.decoded(content);
        for (int layer = 1; decoded != null; layer++) {
            work.spend(decoded.length);
            if (add(text, decoded, start, end, null)) {
                return true;
            }
            decoded = layer < Encoding.MAX_LAYERS ? Encoding.decoded(decoded) : null;
        }
        return false;
    }

    /**
     * Whether a message without delimiters may start here, in other text: on a new line, or after a tag, a backtick or
     * a colon. An entity of Λ, or an '@' as in an attempt at nSLIP, may also follow a quote, emphasis, or a list mark
     * or clause and a space; a header of Λ any space or character beyond ASCII.
     *
     * @param at index of a character that is not white space
     */
    static boolean startsSegment(byte[] value, int at) {
        byte before = at == 0 ? (byte) '\n' : value[at - 1];
        boolean isDelimited = Ascii.isSpace(before)
                ? before == '\n' || at > 1 && ":>]".indexOf(value[at - 2]) >= 0
                : "`>]".indexOf(before) >= 0;
        return isDelimited
                || value[at] == '@' && (before < 0 || Ascii.isSpace(before)) && isHeader(value, at)
                || isInProse(value, at) && (value[at] == '@' || isEntity(value, at));
    }

    /** Whether the version of Λ, or an agent with its colon, is here, such as {@code @v0.6} or {@code @B1:}. */
    private static boolean isHeader(byte[] value, int at) {
        int end = Ascii.wordEnd(value, at + 1, value.length);
        return Ascii.startsWith(value, at, "@v0.6") || end > at + 1 && end < value.length && value[end] == ':';
    }

    /** Whether a quote or emphasis, or a list mark or clause and a space, precedes an index. */
    private static boolean isInProse(byte[] value, int at) {
        byte before = at == 0 ? (byte) '\n' : value[at - 1];
        return Ascii.isSpace(before)
                ? before != '\n' && at > 1 && ",.!?;*-)".indexOf(value[at - 2]) >= 0
                : before == '\'' || before == '*';
    }

    /** Whether a type, perhaps white space, and an entity with its verb and a slash are here, such as !Ik/ or !I*k/. */
    private static boolean isEntity(byte[] value, int type) {
        if (value[type] == '@' || ForeignLines.STARTS.indexOf(value[type]) < 0) {
            return false;
        }
        int entity = Ascii.skip(value, type + 1, value.length, b -> b == ' ');
        int verb = entity + 1 < value.length && value[entity + 1] == '*' ? entity + 2 : entity + 1;
        return verb + 1 < value.length
                && Alphabet.isUpper(value[entity])
                && Alphabet.isLower(value[verb])
                && value[verb + 1] == '/';
    }

    /**
     * Index in the value of the private mark of Λ, in any form, if it is the last word before an index; else -1.
     * Without it, the text there would be public.
     */
    private int privateMark(InnerText text, int start) {
        byte[] bytes = text.bytes;
        int to = Ascii.skipBack(bytes, 0, start, b -> !Ascii.isAlphanumeric(b));
        if (to == 0 && text.outer() != null) {
            return privateMark(text.outer(), text.outerIndex(0));
        }
        int from = Ascii.skipBack(bytes, 0, to, Ascii::isAlphanumeric);
        work.spend(start - from);
        boolean isPrivate = Ascii.isWord(bytes, from, to, "prv") || Ascii.isWord(bytes, from, to, "private");
        return isPrivate ? text.valueIndex(from) : -1;
    }

    /**
     * A message without delimiters: the lines of a code fence, or else one line or the part of it that a quote or tag
     * ends. Its form must leave no doubt, because any punctuation may start it.
     */
    private int segment(InnerText text, int at) {
        byte[] bytes = text.bytes;
        if (isAfterFence(bytes, at)) {
            int end = fenceEnd(text, at);
            if (isMessage(text, at, end)) {
                return end;
            }
        }
        int end = text.segmentEnd(at);
        if (Ascii.isAlphanumeric(bytes[at]) && Encoding.isBase64(bytes, at, end)) {
            byte[] segment = Arrays.copyOfRange(bytes, at, end);
            if (addEncoded(text, segment, at, end)) {
                return end;
            }
        }
        if (!mayStart(text, at)) {
            return -1;
        }
        if (isMessage(text, at, end)) {
            return end;
        }
        int remark = work.isSpent() ? at : LambdaDetection.remarkStart(bytes, at, end);
        work.spend(end - at);
        return remark > at && isMessage(text, at, remark) ? remark : -1;
    }

    /**
     * Whether a message without delimiters may start here: one of Λ with a symbol, an agent or a trust prefix, or one
     * of another protocol. Most words of prose and values of JSON start none.
     */
    private boolean mayStart(InnerText text, int at) {
        byte[] bytes = text.bytes;
        byte b = bytes[at];
        if (!Ascii.isAlphanumeric(b)) {
            return !text.isJson(at);
        }
        int word = Ascii.wordEnd(bytes, at, bytes.length);
        work.spend(word - at);
        boolean starts = word < bytes.length && ":*>".indexOf(bytes[word]) >= 0 && (b < 'a' || b == 'p' || b == 's');
        for (int i = 0; i < protocols.all().size() && !starts; i++) {
            WireProtocol<?> protocol = protocols.all().get(i);
            starts = protocol != WireProtocols.LAMBDA && protocol.codec().detects(bytes, at);
        }
        return starts;
    }

    private boolean isMessage(InnerText text, int at, int end) {
        // A message that lacks a word after a symbol was cut at a placeholder, such as !Ik/<domain>.
        if (work.isSpent() || end <= at || "/:=".indexOf(text.bytes[end - 1]) >= 0) {
            return false;
        }
        work.spend(end - at);
        return ForeignLines.isCertain(text.bytes, at, end)
                && add(text, Arrays.copyOfRange(text.bytes, at, end), at, end, null);
    }

    private static boolean isAfterFence(byte[] bytes, int at) {
        int line = at - 1;
        while (line > 0 && bytes[line - 1] != '\n' && at - line < MAX_FENCE) {
            line--;
        }
        return line >= 0 && bytes[at - 1] == '\n' && Ascii.startsWith(bytes, line, "```");
    }

    private int fenceEnd(InnerText text, int from) {
        int at = Ascii.find(text.bytes, from, text.bytes.length, "```");
        work.spend(at - from);
        return text.trimmed(from, at);
    }

    /**
     * Adds a message if it is one, except after a private mark.
     *
     * @param start index in the text of its first byte, or that of its encoding
     * @param end index after its last byte
     * @param delimited the protocol whose delimiters it has; null for any
     * @return whether it is a message, and the bytes of its range
     */
    private boolean add(InnerText text, byte[] message, int start, int end, WireProtocol<?> delimited) {
        work.spend(DECODING / 4 + message.length);
        WireProtocol<?> protocol = protocols.evident(message);
        if (protocol == null
                || delimited != null && protocol != delimited
                || protocol == WireProtocols.LAMBDA
                        && (!ForeignLines.isCertain(message, WireProtocols.start(message), message.length)
                                || Alphabet.headingEnd(message, WireProtocols.start(message)) > 0)) {
            return false;
        }
        work.spend(DECODING + 2L * message.length);
        InnerMessage inner = new InnerMessage(protocol.name(), text.valueIndex(start), text.valueIndex(end));
        if (!(protocol.codec().decodeDetected(message, RecordHeaders.NONE, options)
                        instanceof DecodeResult.Decoded<?> decoded)
                || decoded.warnings().contains(Code.LAMBDA_UNLIKELY)
                || isBracketed(decoded)
                || ForeignLines.inDecoded(message, protocol, decoded, protocols) >= 0
                || !Arrays.equals(bytes(value, inner), message)) {
            return false;
        }
        int mark = protocol == WireProtocols.LAMBDA ? privateMark(text, start) : -1;
        if (mark < 0) {
            found.add(inner);
        } else {
            privateMark = mark;
        }
        return true;
    }

    /** Whether a message of Λ is only data or a context as other languages have them, such as {a:1} or {id:3}. */
    static boolean isBracketed(DecodeResult.Decoded<?> decoded) {
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
