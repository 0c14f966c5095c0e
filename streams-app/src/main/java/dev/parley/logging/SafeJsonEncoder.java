package dev.parley.logging;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;

/** Logback's JSON, in which characters that only some readers take for the end of a line, or that turn text around, are escapes too. */
public final class SafeJsonEncoder extends JsonEncoder {

    @Override
    public byte[] encode(ILoggingEvent event) {
        // Outside of strings JSON has none of them, but for the line feed that ends a record.
        return ControlCharacters.escapeLines(new String(super.encode(event), UTF_8))
                .getBytes(UTF_8);
    }
}
