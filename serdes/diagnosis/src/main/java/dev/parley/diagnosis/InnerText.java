package dev.parley.diagnosis;

import dev.parley.codec.Ascii;
import dev.parley.codec.json.JsonStrings;
import dev.parley.codec.json.JsonWords;
import dev.parley.codec.subit.SubitDetection;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;

/**
 * A text in which messages are searched: a value, or the content of a JSON string or of a CDATA section in another
 * text, without escapes. Remembers the ends of lines and objects, so that each is read once.
 */
final class InnerText {

    /** A key with a value of a packet of SUBIT. */
    private static final int PACKET = 1;
    /** Keys in any case and quotes; together, those of an attempt at a packet. */
    private static final int TYPE = 2;

    private static final int PAYLOAD = 4;
    /** The key of an act of nSLIP, or CSP/1 as a value. */
    private static final int NAMED = 8;

    /** The text without escapes; not changed. */
    final byte[] bytes;

    private final InnerWork work;
    private final InnerText outer;
    private final int content;
    private final int[] origins;

    private int line;
    private int lineEnd = -1;
    private int lineTrimmed;

    /** Index after the object that starts at an index, or -1 if it is not closed; 0 if it was not read. */
    private int[] objectEnds;

    private BitSet packets;
    private BitSet attempts;

    private InnerText(byte[] bytes, InnerWork work, InnerText outer, int content, int[] origins) {
        this.bytes = bytes;
        this.work = work;
        this.outer = outer;
        this.content = content;
        this.origins = origins;
    }

    static InnerText ofValue(byte[] value, InnerWork work) {
        return new InnerText(value, work, null, 0, null);
    }

    /** A part of this text as it is. */
    InnerText part(int from, int to) {
        work.spend(to - from);
        return new InnerText(Arrays.copyOfRange(bytes, from, to), work, this, from, null);
    }

    /** Whether a part of this text has a backslash. */
    boolean isEscaped(int from, int to) {
        int at = Ascii.skip(bytes, from, to, b -> b != '\\');
        work.spend(at - from);
        return at < to;
    }

    /** A part of this text without its JSON escapes. An invalid escape remains. */
    InnerText unescaped(int from, int to) {
        work.spend(2L * (to - from));
        byte[] text = new byte[to - from];
        int[] indices = new int[to - from + 1];
        int length = 0;
        int at = from;
        while (at < to) {
            int escape = bytes[at] == '\\' ? JsonStrings.escapeLength(bytes, at) : 0;
            if (escape == 0 || at + escape > to) {
                indices[length] = at;
                text[length++] = bytes[at++];
            } else {
                for (byte b : JsonStrings.content(bytes, at, at + escape)) {
                    indices[length] = at;
                    text[length++] = b;
                }
                at += escape;
            }
        }
        indices[length] = to;
        return new InnerText(Arrays.copyOf(text, length), work, this, from, indices);
    }

    /** The text around this one; null for the value. */
    InnerText outer() {
        return outer;
    }

    /** Index in the text around this one. */
    int outerIndex(int at) {
        return origins == null ? content + at : origins[at];
    }

    /** Index in the value. */
    int valueIndex(int at) {
        return outer == null ? at : outer.valueIndex(outerIndex(at));
    }

    /** Number of levels of escapes around this text. */
    int layers() {
        return outer == null ? 0 : outer.layers() + (origins == null ? 0 : 1);
    }

    /** Index after the line, or the part of it that a quote, emphasis or tag ends, that starts at an index. */
    int segmentEnd(int at) {
        byte open = at == 0 ? 0 : bytes[at - 1];
        if (open == '\'' || open == '*') {
            return trimmed(at, untrimmedEnd(at));
        }
        if (at < line || at > lineEnd) {
            line = at;
            lineEnd = untrimmedEnd(at);
            lineTrimmed = trimmed(at, lineEnd);
        }
        return Math.max(at, lineTrimmed);
    }

    private int untrimmedEnd(int start) {
        int end = start;
        while (end < bytes.length && !endsSegment(start, end)) {
            end++;
        }
        work.spend(end - start);
        return end;
    }

    /** Whether the line, quote, emphasis or tag ends here in which a text starts. */
    boolean endsSegment(int start, int at) {
        byte b = bytes[at];
        byte next = at + 1 < bytes.length ? bytes[at + 1] : 0;
        byte open = start == 0 ? 0 : bytes[start - 1];
        boolean isBold = open == '*' && start > 1 && bytes[start - 2] == '*';
        return b == '\n'
                || b == '`'
                || b == '<' && (next == '|' || next == '/' || Ascii.isLastTag(bytes, at, bytes.length))
                || b == '[' && next == '/'
                || b == open && (b == '\'' || b == '*' && (!isBold || next == '*'));
    }

    /** Index after the last byte before the end that is not white space. */
    int trimmed(int from, int end) {
        int at = Ascii.trimEnd(bytes, from, end);
        work.spend(end - at);
        return at;
    }

    /** Whether punctuation or a value of JSON is here, with which no message starts. */
    boolean isJson(int from) {
        int at = Ascii.skip(bytes, from, bytes.length, b -> b == '[' || b == '{' || b == ' ');
        work.spend(at - from);
        return at < bytes.length && ("\",]}0123456789".indexOf(bytes[at]) >= 0 || JsonWords.end(bytes, at) >= 0);
    }

    /** Index after the object that starts here, if it may be a packet of SUBIT; -1 for any other. */
    int packetEnd(int brace) {
        int end = objectEnd(brace);
        return packets.get(brace) ? end : -1;
    }

    /** Whether the object that starts here is closed and has keys of messages, perhaps in other case or quotes. */
    boolean isAttempt(int brace) {
        return objectEnd(brace) > 0 && attempts.get(brace);
    }

    /** Index after the object that starts here; -1 if it is not closed. */
    int objectEnd(int brace) {
        if (objectEnds == null) {
            objectEnds = new int[bytes.length];
            packets = new BitSet();
            attempts = new BitSet();
        }
        if (objectEnds[brace] == 0) {
            readObjects(brace);
        }
        return objectEnds[brace];
    }

    /** An open bracket, and the members that were found directly inside it. */
    private static final class Open {
        private final int start;
        private int members;

        Open(int start) {
            this.start = start;
        }
    }

    /** Reads an object and all objects inside it. */
    private void readObjects(int brace) {
        Deque<Open> open = new ArrayDeque<>();
        int at = brace;
        do {
            byte b = bytes[at];
            int next = at + 1;
            if (b == '{' || b == '[') {
                open.push(new Open(at));
            } else if (b == '}' || b == ']') {
                close(open.pop(), next);
            } else if (b == '"') {
                next = Ascii.afterString(bytes, at, bytes.length);
                open.peek().members |= SubitDetection.isMember(bytes, at, next) ? PACKET : 0;
            }
            if ("{\"', \n".indexOf(b) >= 0) {
                open.peek().members |= member(at + 1);
            }
            at = next;
        } while (at < bytes.length && !open.isEmpty());
        work.spend(at - brace);
        open.forEach(bracket -> close(bracket, -1));
    }

    private void close(Open bracket, int end) {
        if (bytes[bracket.start] == '{') {
            int members = bracket.members;
            objectEnds[bracket.start] = end;
            packets.set(bracket.start, (members & PACKET) != 0);
            attempts.set(bracket.start, (members & NAMED) != 0 || (members & TYPE) != 0 && (members & PAYLOAD) != 0);
        }
    }

    /** The member of a message that starts here, in any case: a key, or the name of CSP as a value. */
    private int member(int at) {
        if (isKey(at, "act") || Ascii.startsWith(bytes, at, "CSP/1\"")) {
            return NAMED;
        }
        return isKey(at, "type") ? TYPE : isKey(at, "payload") ? PAYLOAD : 0;
    }

    private boolean isKey(int at, String key) {
        if (!Ascii.startsWithLetters(bytes, at, key)) {
            return false;
        }
        int colon = at + key.length();
        if (colon < bytes.length && "\"'`".indexOf(bytes[colon]) >= 0) {
            colon++;
        }
        colon = Ascii.skip(bytes, colon, bytes.length, b -> b == ' ');
        return colon < bytes.length && bytes[colon] == ':';
    }
}
