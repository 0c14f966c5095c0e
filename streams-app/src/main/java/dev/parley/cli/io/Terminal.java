package dev.parley.cli.io;

import java.io.Console;
import java.lang.reflect.InvocationTargetException;

/** Whether a person is watching. */
public final class Terminal {
    private static final int CONSOLE_WITHOUT_TERMINAL = 22;

    private Terminal() {}

    /** Whether output may have colors: to a terminal that has them, and without the variable NO_COLOR. */
    public static boolean isColored() {
        return System.getenv().getOrDefault("NO_COLOR", "").isEmpty()
                && !System.getenv().getOrDefault("TERM", "dumb").equals("dumb")
                && isWatched();
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
