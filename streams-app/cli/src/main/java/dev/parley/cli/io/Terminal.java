package dev.parley.cli.io;

import java.io.Console;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Detects whether the output is a terminal, and its width. */
public final class Terminal {
    /** Columns if the terminal does not report its width. */
    public static final int DEFAULT_WIDTH = 80;

    private static final int MIN_WIDTH = 40;
    private static final int MAX_WIDTH = 1_000;
    private static final int CONSOLE_WITHOUT_TERMINAL = 22;
    private static final Path STANDARD_OUTPUT = Path.of("/proc/self/fd/1");

    private Terminal() {}

    /**
     * Whether standard input and output are a terminal. Since Java 22 there may be a console without one, and the
     * console says so.
     */
    private static boolean isWatched() {
        Console console = System.console();
        if (console == null || Runtime.version().feature() < CONSOLE_WITHOUT_TERMINAL) {
            return console != null;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(
                    "Java " + Runtime.version() + " does not report whether its console is a terminal", e);
        }
    }

    /** Whether standard output is a terminal; where the system does not tell, whether standard input is one too. */
    public static boolean isOutput() {
        try {
            String target = Files.readSymbolicLink(STANDARD_OUTPUT).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            return isWatched();
        }
    }

    /** Whether output may have colors: to a terminal that has them, and without the variable NO_COLOR. */
    public static boolean hasColor() {
        return isColored(System.getenv()) && isOutput();
    }

    static boolean isColored(Map<String, String> environment) {
        return environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "dumb").equals("dumb");
    }

    /** Columns of the terminal; {@value #DEFAULT_WIDTH} if standard output is not one. */
    public static int width() {
        return isOutput() ? width(System.getenv("COLUMNS"), () -> output("stty size </dev/tty")) : DEFAULT_WIDTH;
    }

    /** @param size returns rows and columns, as {@code stty size} prints them; empty if they are unknown */
    static int width(String columns, Supplier<String> size) {
        for (String text : new String[] {columns, size.get()}) {
            try {
                if (text != null) {
                    int width = Integer.parseInt(
                            text.substring(text.lastIndexOf(' ') + 1).strip());
                    if (width > 0) {
                        return Math.max(MIN_WIDTH, Math.min(width, MAX_WIDTH));
                    }
                }
            } catch (NumberFormatException e) {
                // No number: the next source decides.
            }
        }
        return DEFAULT_WIDTH;
    }

    /** Standard output of a shell command that prints one line; empty if it takes more than a second. */
    static String output(String command) {
        try {
            Process process = new ProcessBuilder("sh", "-c", command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.getOutputStream().close();
            if (process.waitFor(1, TimeUnit.SECONDS)) {
                return new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
            }
            process.destroyForcibly();
        } catch (IOException e) {
            // Unknown.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return "";
    }
}
