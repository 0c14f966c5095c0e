package dev.parley.topology.setup;

import java.util.StringJoiner;

/**
 * Where a failure came from, for the log: classes and places, but no exception's message. Messages may quote what
 * agents said; the log at INFO and above never does.
 */
public final class ExceptionSummary {
    private static final int MOST_CAUSES = 5;
    private static final String OURS = "dev.parley.";

    private ExceptionSummary() {}

    /**
     * Such as "StreamsException, caused by IllegalStateException at
     * dev.parley.checkpoint.Parking.take(Parking.java:71)".
     */
    public static String of(Throwable failure) {
        StringJoiner trace = new StringJoiner(", caused by ");
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
            trace.add(cause.getClass().getSimpleName() + place(cause.getStackTrace()));
            cause = cause.getCause();
        }
        return trace.toString();
    }

    /** The innermost place in Parley; in a library that Parley called, the innermost of all. */
    private static String place(StackTraceElement[] frames) {
        for (StackTraceElement frame : frames) {
            if (frame.getClassName().startsWith(OURS)) {
                return " at " + frame;
            }
        }
        return frames.length == 0 ? "" : " at " + frames[0];
    }
}
