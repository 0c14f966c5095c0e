package dev.parley.cli.io;

import dev.parley.codec.ControlCharacters;
import dev.parley.json.ApiJson;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/**
 * Writes records as JSON lines: one object per line, in UTF-8. Characters that a terminal or a reader of lines could
 * misinterpret are escaped. Buffers; throws if standard output cannot be written. Closing it leaves the stream open.
 */
public final class JsonLines implements AutoCloseable {
    private final Writer lines;

    /** Writes to standard output. */
    public JsonLines() {
        lines = new BufferedWriter(
                new OutputStreamWriter(StandardOutput.throwing(System.out), StandardCharsets.UTF_8), 1 << 16);
    }

    /** Prints one object at once. */
    public static void print(Object object) {
        System.out.println(line(object));
    }

    public void write(Object object) {
        attempt(() -> {
            lines.write(line(object));
            lines.write('\n');
        });
    }

    public void flush() {
        attempt(lines::flush);
    }

    @Override
    public void close() {
        flush();
    }

    private static String line(Object object) {
        return ControlCharacters.escape(ApiJson.text(object));
    }

    private static void attempt(StandardOutput.Write write) {
        try {
            write.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
