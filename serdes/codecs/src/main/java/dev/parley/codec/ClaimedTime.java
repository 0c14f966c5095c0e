package dev.parley.codec;

import dev.parley.avro.AgentMessage;
import dev.parley.avro.Source;
import java.time.Instant;

/**
 * The time that the sender of a message claims: of SUBIT in the message, otherwise in the header
 * {@value RecordHeaders#TIME}. A sender may claim any time of the years 0 to 9999, so it is shown and searched, and no
 * decision uses it.
 */
public final class ClaimedTime {
    /** A date and time to the nanosecond with an offset, as in the header. */
    private static final int MAX_CHARS = 35;

    private ClaimedTime() {}

    /**
     * Returns the claimed time of a record.
     *
     * @param message its message as the caller may see it; null for none
     * @return null if it claims none, or none with an offset from UTC
     */
    public static Instant of(Source source, AgentMessage message) {
        String text = message == null || message.getSubit() == null
                ? null
                : message.getSubit().getTimestamp();
        Instant own = text == null || text.length() > MAX_CHARS ? null : IsoTimestamp.parseRfc3339(text);
        return own == null ? source.getProducerTime() : own;
    }
}
