package dev.parley.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.pattern.CompositeConverter;

/** {@code %safe(...)}: escapes the text in parentheses so that it stays on one line. */
public final class SafeConverter extends CompositeConverter<ILoggingEvent> {

    @Override
    protected String transform(ILoggingEvent event, String text) {
        return ControlCharacters.escape(text);
    }
}
