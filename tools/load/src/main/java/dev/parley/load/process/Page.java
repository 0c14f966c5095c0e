package dev.parley.load.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A Markdown page with sections that commands write, each between two marks. */
public final class Page {
    private Page() {}

    /** The line before the section of a command. */
    public static String begin(String command) {
        return "<!-- written by " + command + ": begin -->";
    }

    /** The line after the section of a command. */
    public static String end(String command) {
        return "<!-- written by " + command + ": end -->";
    }

    /** Replaces the section of a command in a file, for example of {@code benchmarks/run}. */
    public static void write(Path file, String command, String text) throws IOException {
        Files.writeString(file, within(Files.readString(file), command, text));
    }

    /** Replaces the section of a command in a page. */
    public static String within(String page, String command, String text) throws IOException {
        section(page, command);
        int start = page.indexOf(begin(command)) + begin(command).length();
        return page.substring(0, start) + "\n" + text + page.substring(page.indexOf(end(command)));
    }

    /** Returns the section of a command, without its marks. */
    public static String section(String page, String command) throws IOException {
        int begin = page.indexOf(begin(command));
        int end = page.indexOf(end(command));
        if (begin < 0 || end < begin) {
            throw new IOException("the page has no lines " + begin(command) + " and " + end(command));
        }
        return page.substring(begin + begin(command).length(), end).strip();
    }
}
