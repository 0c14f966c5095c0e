package dev.parley.tap;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Finds the messages of an event stream: the data of its events {@code message}. Not thread-safe. */
public final class Events {
    private static final byte[] LINE_FEED = {'\n'};
    private static final int MARK_BYTES = 3;
    private static final String DATA = "data";
    private static final String EVENT = "event";

    private final Consumer<byte[]> message;
    private final LongConsumer tooLong;
    private final Copy line;
    private final Copy data;
    private boolean isFirstLine = true;
    private boolean isAfterReturn;
    private boolean isMessage = true;
    private boolean hasData;
    /** Whether the line is certainly no data. */
    private boolean isOther;
    /** Whether the line is certainly the type of the event. */
    private boolean isType;

    private long tooLongBytes;

    /**
     * Creates it.
     *
     * @param maxBytes maximum bytes of data
     * @param budget bytes left for all copies
     * @param message gets the data of each message
     * @param tooLong gets the bytes of data of each larger message
     */
    public Events(int maxBytes, AtomicLong budget, Consumer<byte[]> message, LongConsumer tooLong) {
        this.message = message;
        this.tooLong = tooLong;
        this.line = new Copy(maxBytes + 16, budget);
        this.data = new Copy(maxBytes + 1, budget);
    }

    /** Continues with bytes of an array. */
    public void accept(byte[] bytes, int from, int to) {
        int start = from;
        for (int i = from; i < to; i++) {
            if (bytes[i] == '\n' || bytes[i] == '\r') {
                // The line feed of CRLF ends no further line.
                if (bytes[i] == '\r' || !isAfterReturn || i > start) {
                    extendLine(bytes, start, i);
                    endLine();
                }
                start = i + 1;
            }
            isAfterReturn = bytes[i] == '\r';
        }
        extendLine(bytes, start, to);
    }

    /** Adds bytes to the line, whose copy tells its field until it is too long. */
    private void extendLine(byte[] bytes, int from, int to) {
        if (!line.isDropped()) {
            int start = isFirstLine && startsWithMark() ? MARK_BYTES : 0;
            boolean isKnown = line.total() > start + EVENT.length();
            isOther = isKnown && !isField(DATA, start);
            isType = isKnown && isField(EVENT, start);
        }
        line.add(bytes, from, to - from);
    }

    private void endLine() {
        int start = isFirstLine && startsWithMark() ? MARK_BYTES : 0;
        isFirstLine = false;
        if (line.isDropped()) {
            tooLongBytes += isOther ? 0 : line.total();
            isMessage &= !isType;
        } else if (line.total() == start) {
            endEvent();
        } else if (isField(DATA, start)) {
            line.addTo(data, value(start + DATA.length()));
            data.add(LINE_FEED, 0, 1);
            hasData = true;
        } else if (isField(EVENT, start)) {
            byte[] type = line.from(value(start + EVENT.length()));
            isMessage = type.length == 0 || new String(type, StandardCharsets.UTF_8).equals("message");
        }
        line.clear();
    }

    private boolean startsWithMark() {
        return line.at(0) == (byte) 0xEF && line.at(1) == (byte) 0xBB && line.at(2) == (byte) 0xBF;
    }

    private boolean isField(String name, int start) {
        for (int i = 0; i < name.length(); i++) {
            if (line.at(start + i) != name.charAt(i)) {
                return false;
            }
        }
        return line.total() == start + name.length() || line.at(start + name.length()) == ':';
    }

    /** The start of a value, after the end of the name of its field: one space after the colon does not count. */
    private int value(int colon) {
        int start = (int) Math.min(colon + 1L, line.total());
        return line.at(start) == ' ' ? start + 1 : start;
    }

    private void endEvent() {
        if (isMessage && (data.isDropped() || tooLongBytes > 0)) {
            tooLong.accept(data.total() + tooLongBytes);
        } else if (isMessage && hasData && data.total() > 1) {
            byte[] all = data.from(0);
            message.accept(Arrays.copyOf(all, all.length - 1));
        }
        data.clear();
        isMessage = true;
        hasData = false;
        tooLongBytes = 0;
    }

    /** Returns the memory. An event without its end is none. */
    void free() {
        line.free();
        data.free();
    }
}
