package dev.parley.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.pattern.CompositeConverter;

/** {@code %safe(...)}: escapes and truncates the text in parentheses, so that it is one line of bounded length. */
public final class SafeConverter extends CompositeConverter<ILoggingEvent> {

    @Override
    protected String transform(ILoggingEvent event, String text) {
        return LogText.line(text);
    }
}
