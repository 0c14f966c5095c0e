package dev.parley.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/**
 * Limits the events of each logger and level per minute, because agents and HTTP clients can cause some of them at any
 * rate, and libraries quote what they sent: warnings and errors, and what Parley's server logs at INFO. It logs how
 * many events it suppressed. Others are not limited: no client causes them, or they are not logged by default.
 * Thread-safe.
 */
public final class LogLimiter extends Filter<ILoggingEvent> {

    /** Maximum events of a logger and level in an interval. */
    static final int MAX_EVENTS = 30;

    private static final long INTERVAL_SECONDS = 60;
    private static final String NAME = LogLimiter.class.getName();
    private static final String SERVER = "dev.parley.server.";

    /** Events of the current interval; empty between intervals. Loggers are classes, so their number is bounded. */
    private Map<Source, Long> counts = new HashMap<>();

    private record Source(String logger, Level level) {}

    @Override
    public FilterReply decide(ILoggingEvent event) {
        Level least = event.getLoggerName().startsWith(SERVER) ? Level.INFO : Level.WARN;
        if (!event.getLevel().isGreaterOrEqual(least) || event.getLoggerName().equals(NAME)) {
            return FilterReply.NEUTRAL;
        }
        Source source = new Source(event.getLoggerName(), event.getLevel());
        long count = count(source);
        if (count == MAX_EVENTS + 1) {
            // In another thread: an appender ignores events of its own filters.
            getContext()
                    .getExecutorService()
                    .execute(() -> log(
                            source,
                            "more than {} events in a minute. The following ones are counted, not logged",
                            MAX_EVENTS));
        }
        return count > MAX_EVENTS ? FilterReply.DENY : FilterReply.NEUTRAL;
    }

    private synchronized long count(Source source) {
        if (counts.isEmpty()) {
            getContext().getScheduledExecutorService().schedule(this::endInterval, INTERVAL_SECONDS, TimeUnit.SECONDS);
        }
        return counts.merge(source, 1L, Long::sum);
    }

    /** Logs the numbers of suppressed events, and starts the next interval. */
    void endInterval() {
        Map<Source, Long> ended;
        synchronized (this) {
            ended = counts;
            counts = new HashMap<>();
        }
        ended.forEach((source, count) -> {
            if (count > MAX_EVENTS) {
                log(source, "suppressed {} events", count - MAX_EVENTS);
            }
        });
    }

    private void log(Source source, String text, Object argument) {
        Logger log = ((LoggerContext) getContext()).getLogger(NAME);
        log.atLevel(org.slf4j.event.Level.valueOf(source.level().levelStr))
                .log(source.level() + " of " + source.logger() + ": " + text, argument);
    }
}
