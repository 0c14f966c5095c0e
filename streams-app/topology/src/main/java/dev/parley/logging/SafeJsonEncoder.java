package dev.parley.logging;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.parley.codec.ControlCharacters;

/**
 * Logback's JSON encoder, with additional escapes for characters that some readers take for line ends or that reverse
 * text, and a maximum length of strings.
 */
public final class SafeJsonEncoder extends JsonEncoder {

    @Override
    public byte[] encode(ILoggingEvent event) {
        // Outside strings, JSON contains no such character except the line feed that ends a record.
        return LogText.json(ControlCharacters.escapeLines(new String(super.encode(event), UTF_8)))
                .getBytes(UTF_8);
    }
}
