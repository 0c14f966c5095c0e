package dev.parley.state;

import dev.parley.codec.Decimal;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;
import java.util.Optional;

/**
 * Times as users write them, in requests and options. The forms are
 *
 * <pre>
 * 2026-01-31T12:00:00Z             ISO 8601 with Z or an offset
 * 2026-01-31T12:00                 the same without either: that time in the clock's zone
 * 1769860800000                    milliseconds since the epoch
 * 2026-01-31                       the beginning of that day in the clock's zone
 * 14:00, 14:00:30                  that time of the present day in the clock's zone
 * -90s, -15m, -1h, -2d             seconds, minutes, hours, or periods of 24 hours before the present
 * </pre>
 *
 * If a clock change skips a local time, the time is later by the length of the gap; if it repeats one, the first
 * counts.
 */
public final class TimeText {

    /** The forms, for error messages. */
    public static final String FORMS = "a time, such as 2026-01-31T12:00:00Z, 2026-01-31, 14:00, -15m, -1h or -2d, or"
            + " milliseconds since the epoch";

    private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

    /** Maximum number of units before the present, so that their product is in bounds. */
    private static final long MAX_UNITS = 100_000_000_000L;

    /** Characters of an hour: a time of day has its first colon after them. */
    private static final int HOUR = 2;

    private TimeText() {}

    /**
     * Parses a time.
     *
     * @param clock the present, and the zone of times without an offset
     * @throws IllegalArgumentException if the text has none of the forms, or its year has not four digits
     */
    public static Instant parse(String text, Clock clock) {
        return find(text, clock).orElseThrow(() -> new IllegalArgumentException("must be " + FORMS));
    }

    /** The time; empty if {@link #parse} would fail. */
    static Optional<Instant> find(String text, Clock clock) {
        try {
            return Optional.of(read(text, clock)).filter(time -> !time.isBefore(FIRST) && !time.isAfter(LAST));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Whether a text consists of digits. */
    static boolean isNumber(String text) {
        return text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static Instant read(String text, Clock clock) {
        if (isNumber(text)) {
            return Instant.ofEpochMilli(number(text, Long.MAX_VALUE));
        }
        int unit = text.length() - 1;
        if (text.charAt(0) == '-' && unit > 0) {
            return clock.instant()
                    .minus(unit(text.charAt(unit)).multipliedBy(number(text.substring(1, unit), MAX_UNITS)));
        }
        int colon = text.indexOf(':');
        if (colon > HOUR) {
            // A plus sign that was not percent-encoded arrives as a space.
            TemporalAccessor time = DateTimeFormatter.ISO_DATE_TIME.parseBest(
                    text.replace(' ', '+'), OffsetDateTime::from, LocalDateTime::from);
            return time instanceof LocalDateTime local
                    ? local.atZone(clock.getZone()).toInstant()
                    : Instant.from(time);
        }
        return colon < 0
                ? LocalDate.parse(text).atStartOfDay(clock.getZone()).toInstant()
                : LocalDate.now(clock)
                        .atTime(LocalTime.parse(text))
                        .atZone(clock.getZone())
                        .toInstant();
    }

    private static Duration unit(char symbol) {
        return switch (symbol) {
            case 's' -> Duration.ofSeconds(1);
            case 'm' -> Duration.ofMinutes(1);
            case 'h' -> Duration.ofHours(1);
            case 'd' -> Duration.ofDays(1);
            default -> throw new DateTimeException("unknown unit");
        };
    }

    private static long number(String text, long max) {
        long number = Decimal.parse(text, max);
        if (number == Decimal.NONE) {
            throw new DateTimeException("not a number in bounds");
        }
        return number;
    }
}
