package dev.parley.cli.io;

import java.io.Console;
import java.lang.reflect.InvocationTargetException;

/** Whether a person is watching. */
public final class Terminal {
    private static final int CONSOLE_WITHOUT_TERMINAL = 22;

    private Terminal() {}

    /**
     * Whether output may have colors and other escape sequences: on a terminal, unless {@code NO_COLOR} is set or
     * {@code TERM} is {@code dumb}.
     */
    public static boolean hasColor() {
        String noColor = System.getenv("NO_COLOR");
        return (noColor == null || noColor.isEmpty()) && isAnimated();
    }

    /** Whether output may return to the beginning of its line, as progress bars do. */
    public static boolean isAnimated() {
        String term = System.getenv("TERM");
        return isWatched() && term != null && !term.equals("dumb");
    }

    /**
     * Whether standard input and output are a terminal. Since Java 22 there may be a console without one, and the
     * console says so.
     */
    public static boolean isWatched() {
        Console console = System.console();
        if (console == null || Runtime.version().feature() < CONSOLE_WITHOUT_TERMINAL) {
            return console != null;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(
                    "Java " + Runtime.version() + " does not say whether its console is a terminal", e);
        }
    }
}
