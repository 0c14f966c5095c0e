package dev.parley.codec;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A wire text with the offset of its error marked by '^', which is not part of the wire.
 *
 * @param text the wire
 * @param offset byte offset of the mark
 */
public record MarkedWire(String text, int offset) {

    /** Removes the only '^' from a text. */
    public static MarkedWire of(String marked) {
        int mark = marked.indexOf('^');
        if (mark < 0 || marked.indexOf('^', mark + 1) >= 0) {
            throw new IllegalArgumentException("one '^' marks the fault in " + marked);
        }
        String head = marked.substring(0, mark);
        return new MarkedWire(head + marked.substring(mark + 1), head.getBytes(UTF_8).length);
    }
}
