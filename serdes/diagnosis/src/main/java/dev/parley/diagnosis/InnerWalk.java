package dev.parley.diagnosis;

import dev.parley.codec.Ascii;
import dev.parley.codec.DecodeOptions;
import dev.parley.decode.WireProtocols;

/** One search through a text from left to right, and through the texts inside it. Not thread-safe. */
abstract class InnerWalk {
    final WireProtocols protocols;
    final DecodeOptions options;
    final InnerWork work;

    InnerWalk(WireProtocols protocols, DecodeOptions options, InnerWork work) {
        this.protocols = protocols;
        this.options = options;
        this.work = work;
    }

    /**
     * Reads what starts at an index.
     *
     * @param before the last byte before the index that is not white space
     * @return the index after it; not after the index if nothing starts there
     */
    abstract int read(InnerText text, int at, byte before);

    /** Whether nothing else is wanted. */
    abstract boolean isDone();

    /**
     * Reads a text.
     *
     * @param from index of the first byte that is read
     * @return whether its end was reached
     */
    final boolean walk(InnerText text, int from) {
        byte before = ':';
        int at = from;
        while (at < text.bytes.length && !isDone() && !work.isSpent()) {
            work.spend(1);
            int end = Math.max(at + 1, read(text, at, before));
            before = end == at + 1 && Ascii.isSpace(text.bytes[at]) ? before : text.bytes[end - 1];
            at = end;
        }
        return at >= text.bytes.length;
    }

    /** Whether a JSON string opens at an index: a quote after punctuation. */
    static boolean opensString(InnerText text, int at, byte before) {
        return text.bytes[at] == '"' && ":[,{(=".indexOf(before) >= 0;
    }

    /** The content of a JSON string without its escapes. */
    static InnerText content(InnerText text, int quote, int end, boolean escaped) {
        return escaped ? text.unescaped(quote + 1, end) : text.part(quote + 1, end);
    }
}
