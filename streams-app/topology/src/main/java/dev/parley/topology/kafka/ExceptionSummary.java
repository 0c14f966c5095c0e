package dev.parley.topology.kafka;

import java.util.StringJoiner;

/**
 * Summarizes an exception for the log: classes and stack frames without messages. Messages may quote agents, and the
 * log at INFO and above never does.
 */
public final class ExceptionSummary {
    private static final int MAX_CAUSES = 5;
    private static final String PARLEY_PACKAGES = "dev.parley.";

    private ExceptionSummary() {}

    /**
     * Returns, for example, "StreamsException, caused by IllegalStateException at
     * dev.parley.checkpoint.ParkingLot.poll(ParkingLot.java:71)".
     */
    public static String of(Throwable failure) {
        StringJoiner trace = new StringJoiner(", caused by ");
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
            trace.add(cause.getClass().getSimpleName() + frame(cause.getStackTrace()));
            cause = cause.getCause();
        }
        return trace.toString();
    }

    /** Returns the innermost frame in Parley, else the innermost frame of all. */
    private static String frame(StackTraceElement[] frames) {
        for (StackTraceElement frame : frames) {
            if (frame.getClassName().startsWith(PARLEY_PACKAGES)) {
                return " at " + frame;
            }
        }
        return frames.length == 0 ? "" : " at " + frames[0];
    }
}
