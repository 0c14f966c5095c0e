package dev.parley.decode;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;

/**
 * Reads the time that a producer claims for its message: the CloudEvents header {@value RecordHeaders#TIME}, in RFC
 * 3339. Parley stores and shows the claim, but no decision uses it.
 */
public final class ProducerTime {
    /** A date and time to the nanosecond with an offset, such as 2026-01-31T12:00:00.123456789+01:00. */
    private static final int MAX_BYTES = 35;

    private static final int MIN_BYTES = 20;
    private static final int NANO_DIGITS = 9;

    private ProducerTime() {}

    /**
     * Returns the claimed time of a record.
     *
     * @return null if the header is absent or is not an RFC 3339 time
     */
    public static Instant of(RecordHeaders headers) {
        byte[] value = headers.last(RecordHeaders.TIME);
        if (value == null || value.length < MIN_BYTES || value.length > MAX_BYTES) {
            return null;
        }
        try {
            return parse(new String(value, StandardCharsets.ISO_8859_1));
        } catch (DateTimeException e) {
            // Not a calendar date, such as February 30.
            return null;
        }
    }

    private static Instant parse(String text) {
        int year = number(text, 0, 4);
        int month = number(text, 5, 2);
        int day = number(text, 8, 2);
        int hour = number(text, 11, 2);
        int minute = number(text, 14, 2);
        int second = number(text, 17, 2);
        boolean separated = text.charAt(4) == '-'
                && text.charAt(7) == '-'
                && (text.charAt(10) == 'T' || text.charAt(10) == 't')
                && text.charAt(13) == ':'
                && text.charAt(16) == ':';
        boolean real = Math.min(Math.min(year, month), Math.min(day, hour)) >= 0
                && hour < 24
                && minute >= 0
                && minute < 60
                && second >= 0
                && second <= 60;
        int zoneAt = afterFraction(text);
        int offset = offsetSeconds(text, zoneAt);
        if (!separated || !real || offset == Integer.MIN_VALUE) {
            return null;
        }
        long seconds = LocalDate.of(year, month, day).toEpochDay() * 86_400L
                + hour * 3_600L
                + minute * 60L
                // Java has no leap seconds.
                + Math.min(second, 59)
                - offset;
        return Instant.ofEpochSecond(seconds).plusMillis(millis(text, zoneAt));
    }

    /** Index after the fraction, or after the seconds without one; -1 if the fraction has no digit or too many. */
    private static int afterFraction(String text) {
        if (text.charAt(19) != '.') {
            return 19;
        }
        int at = 20;
        while (isDigit(text, at)) {
            at++;
        }
        return at == 20 || at > 20 + NANO_DIGITS ? -1 : at;
    }

    private static int millis(String text, int end) {
        int millis = 0;
        for (int at = 20; at < 23; at++) {
            millis = millis * 10 + (at < end ? text.charAt(at) - '0' : 0);
        }
        return millis;
    }

    /** Seconds east of UTC; Integer.MIN_VALUE if the text is not exactly a zone. */
    private static int offsetSeconds(String text, int at) {
        if (at < 0 || at >= text.length()) {
            return Integer.MIN_VALUE;
        }
        char sign = text.charAt(at);
        if ((sign == 'Z' || sign == 'z') && at + 1 == text.length()) {
            return 0;
        }
        int hours = number(text, at + 1, 2);
        int minutes = number(text, at + 4, 2);
        boolean real = (sign == '+' || sign == '-')
                && at + 6 == text.length()
                && text.charAt(at + 3) == ':'
                && hours >= 0
                && hours < 24
                && minutes >= 0
                && minutes < 60;
        if (!real) {
            return Integer.MIN_VALUE;
        }
        return (sign == '-' ? -1 : 1) * (hours * 3_600 + minutes * 60);
    }

    /** A number with exactly that many digits, or -1. */
    private static int number(String text, int from, int digits) {
        int number = 0;
        for (int at = from; at < from + digits; at++) {
            if (!isDigit(text, at)) {
                return -1;
            }
            number = number * 10 + text.charAt(at) - '0';
        }
        return number;
    }

    private static boolean isDigit(String text, int at) {
        return at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
    }
}
