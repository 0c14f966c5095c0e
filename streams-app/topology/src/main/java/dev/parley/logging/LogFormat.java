package dev.parley.logging;

/** The format of the log, from the environment variable {@code PARLEY_LOG_FORMAT} that logback.xml reads. */
public final class LogFormat {
    private LogFormat() {}

    /** Whether the log is one JSON object per line, so that no other line may be among them. */
    public static boolean isJson() {
        return "json".equals(System.getProperty("PARLEY_LOG_FORMAT", System.getenv("PARLEY_LOG_FORMAT")));
    }
}
