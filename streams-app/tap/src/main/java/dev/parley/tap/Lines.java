package dev.parley.tap;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Splits bytes into lines of bounded length. Not thread-safe. */
final class Lines {
    private final Copy copy;
    private final Consumer<byte[]> line;
    private final LongConsumer tooLong;

    /**
     * Creates it.
     *
     * @param maxBytes maximum bytes of a line
     * @param line gets each line without its line feed, except empty ones
     * @param tooLong gets the bytes of each longer line
     */
    Lines(int maxBytes, Consumer<byte[]> line, LongConsumer tooLong) {
        this.copy = new Copy(maxBytes, new AtomicLong(maxBytes));
        this.line = line;
        this.tooLong = tooLong;
    }

    /** Continues with the first bytes of an array. */
    void accept(byte[] bytes, int count) {
        int start = 0;
        for (int i = 0; i < count; i++) {
            if (bytes[i] == '\n') {
                copy.add(bytes, start, i - start);
                end();
                start = i + 1;
            }
        }
        copy.add(bytes, start, count - start);
    }

    /** Ends the line: at a line feed, or at the end of the bytes. */
    void end() {
        if (copy.isDropped()) {
            tooLong.accept(copy.total());
        } else if (copy.total() > 1 || copy.total() == 1 && copy.at(0) != '\r') {
            line.accept(copy.from(0));
        }
        copy.clear();
    }
}
