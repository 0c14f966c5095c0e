package dev.parley.codec;

import java.time.Instant;
import java.time.LocalDate;
import java.time.Month;
import java.time.Year;

/**
 * Parses a date and time of ISO 8601, and of its stricter profile RFC 3339, without exceptions: a calendar date, T, a
 * time to the hour or finer, and perhaps a zone, all in the extended or all in the basic form. Reads part by part;
 * java.time knows only the extended form.
 */
public final class IsoTimestamp {
    private static final int NONE = (int) Decimal.NONE;
    private static final int MAX_FRACTION_DIGITS = 9;
    private static final int MILLI_DIGITS = 3;
    private static final String UTC_SECOND = "YYYY-MM-DDThh:mm:ssZ";

    private final String text;
    private final boolean rfc3339;
    private final boolean extended;
    private int at;

    private int year;
    private int month;
    private int day;
    private int hour;
    private int minute;
    private int second;
    private int millis;
    private int offsetSeconds;

    private IsoTimestamp(String text, boolean rfc3339) {
        this.text = text;
        this.rfc3339 = rfc3339;
        this.extended = rfc3339 || text.length() > 4 && text.charAt(4) == '-';
    }

    /** Whether the text is a date and time of ISO 8601. */
    public static boolean isValid(String text) {
        return isUtcSecond(text) || new IsoTimestamp(text, false).read();
    }

    /** Whether the text is a time of the most frequent form, 2026-11-12T09:22:57Z. Allocates nothing. */
    private static boolean isUtcSecond(String text) {
        return text.length() == UTC_SECOND.length()
                && text.charAt(4) == '-'
                && text.charAt(7) == '-'
                && text.charAt(10) == 'T'
                && text.charAt(13) == ':'
                && text.charAt(16) == ':'
                && text.charAt(19) == 'Z'
                && isDate(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10))
                && isBelow(24, number(text, 11, 13))
                && isBelow(60, number(text, 14, 16))
                && isBelow(60, number(text, 17, 19));
    }

    private static boolean isBelow(int bound, int number) {
        return number >= 0 && number < bound;
    }

    /**
     * Parses a time of RFC 3339, to the millisecond. A leap second becomes the second before it.
     *
     * @return null if the text is not one
     */
    public static Instant parseRfc3339(String text) {
        IsoTimestamp time = new IsoTimestamp(text, true);
        return time.read() ? time.instant() : null;
    }

    private Instant instant() {
        long seconds = LocalDate.of(year, month, day).toEpochDay() * 86_400L
                + hour * 3_600L
                + minute * 60L
                // Java has no leap seconds.
                + Math.min(second, 59)
                - offsetSeconds;
        return Instant.ofEpochSecond(seconds).plusMillis(millis);
    }

    private boolean read() {
        return date() && takeMark('T') && time() && fraction() && zone() && at == text.length();
    }

    private boolean date() {
        year = number(4);
        boolean separated = !extended || take('-');
        month = number(2);
        separated &= !extended || take('-');
        day = number(2);
        return separated && isDate(year, month, day);
    }

    /** Whether numbers, negative if they are missing, are a date. */
    private static boolean isDate(int year, int month, int day) {
        return year >= 0
                && month >= 1
                && month <= 12
                && day >= 1
                && day <= Month.of(month).length(Year.isLeap(year));
    }

    /** Reads the hour, and perhaps minute and second, which RFC 3339 demands. */
    private boolean time() {
        hour = number(2);
        if (hasNextPart()) {
            minute = number(2);
            if (hasNextPart()) {
                second = number(2);
            } else if (rfc3339) {
                return false;
            }
        } else if (rfc3339) {
            return false;
        }
        boolean midnight = !rfc3339 && hour == 24 && minute == 0 && second == 0;
        return hour >= 0 && minute >= 0 && second >= 0 && (hour < 24 || midnight) && minute < 60 && second <= 60;
    }

    /**
     * Takes the separator of the next part of a time: a colon in the extended form, nothing before a digit in the basic
     * form.
     */
    private boolean hasNextPart() {
        return extended ? take(':') : isDigit();
    }

    private boolean fraction() {
        if (!take('.') && (rfc3339 || !take(','))) {
            return true;
        }
        int from = at;
        while (isDigit()) {
            at++;
        }
        int digits = at - from;
        for (int place = 0; place < MILLI_DIGITS; place++) {
            millis = millis * 10 + (place < digits ? text.charAt(from + place) - '0' : 0);
        }
        return digits > 0 && (!rfc3339 || digits <= MAX_FRACTION_DIGITS);
    }

    private boolean zone() {
        if (takeMark('Z')) {
            return true;
        }
        if (at == text.length()) {
            return !rfc3339;
        }
        boolean west = take('-');
        if (!west && !take('+')) {
            return false;
        }
        int hours = number(2);
        int minutes = 0;
        if (rfc3339 || at < text.length()) {
            boolean colon = take(':');
            minutes = rfc3339 && !colon ? NONE : number(2);
        }
        offsetSeconds = (west ? -1 : 1) * (hours * 3_600 + minutes * 60);
        return hours >= 0 && hours < 24 && minutes >= 0 && minutes < 60;
    }

    /** Takes a letter, which RFC 3339 also allows in lower case. */
    private boolean takeMark(char letter) {
        return take(letter) || rfc3339 && take(Character.toLowerCase(letter));
    }

    private boolean take(char character) {
        boolean found = at < text.length() && text.charAt(at) == character;
        at += found ? 1 : 0;
        return found;
    }

    private int number(int digits) {
        int number = number(text, at, at + digits);
        at += digits;
        return number;
    }

    private static int number(String text, int from, int to) {
        return (int) Decimal.parse(text, from, to, Integer.MAX_VALUE);
    }

    private boolean isDigit() {
        return at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
    }
}
