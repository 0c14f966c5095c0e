package dev.parley.tap;

import java.io.IOException;

/** Messages to the user, on standard error: standard output belongs to the traffic. */
final class Console {
    private Console() {}

    /** Prints one line, without control characters. */
    static void say(String message) {
        StringBuilder line = new StringBuilder("parley tap: ");
        message.codePoints().forEach(c -> line.appendCodePoint(Character.isISOControl(c) ? ' ' : c));
        System.err.println(line);
    }

    /** The reason of a failure, as the end of a sentence. */
    static String reason(Throwable failure) {
        String name = failure.getClass().getSimpleName();
        String message = failure.getMessage() == null ? "" : failure.getMessage();
        return message.isBlank() ? name : failure.getClass() == IOException.class ? message : name + ": " + message;
    }
}
