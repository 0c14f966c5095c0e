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
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Limits the warnings, and the errors, of each logger per minute, because agents and HTTP clients can cause some of
 * them at any rate, and libraries quote what they sent. It logs how many events it suppressed. Lower levels are not
 * limited: by default, only Parley logs them, and no client causes them. Thread-safe.
 */
public final class LogLimiter extends Filter<ILoggingEvent> {

    /** Maximum events of a logger and level in an interval. */
    static final int MAX_EVENTS = 30;

    private static final long INTERVAL_SECONDS = 60;
    private static final String NAME = LogLimiter.class.getName();

    /** Events of the current interval; empty between intervals. Loggers are classes, so their number is bounded. */
    private Map<Source, Long> counts = new HashMap<>();

    private record Source(String logger, Level level) {}

    @Override
    public FilterReply decide(ILoggingEvent event) {
        if (!event.getLevel().isGreaterOrEqual(Level.WARN)
                || event.getLoggerName().equals(NAME)) {
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
        LoggingEventBuilder event = source.level() == Level.ERROR ? log.atError() : log.atWarn();
        event.log(source.level() + " of " + source.logger() + ": " + text, argument);
    }
}
