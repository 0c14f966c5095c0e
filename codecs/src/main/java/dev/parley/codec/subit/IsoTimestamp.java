package dev.parley.codec.subit;

/**
 * Recognizes ISO 8601 dates with times: a calendar date, T, a time to the hour or finer, and an optional zone, all in
 * extended or all in basic form. java.time would throw for invalid text and accepts only the extended form.
 *
 * <p>Each method reads one part at an index and returns the index after it, or {@link #NONE}.
 */
final class IsoTimestamp {
    private static final int NONE = -1;

    private IsoTimestamp() {}

    static boolean isValid(String text) {
        boolean extended = text.length() > 4 && text.charAt(4) == '-';
        int date = afterDate(text, extended);
        if (date < 0 || !is(text, date, 'T')) {
            return false;
        }
        int time = afterTime(text, date + 1, extended);
        return time >= 0 && afterZone(text, time) == text.length();
    }

    private static int afterDate(String text, boolean extended) {
        int separator = extended ? 1 : 0;
        int monthAt = 4 + separator;
        int dayAt = monthAt + 2 + separator;
        if (extended && !is(text, dayAt - 1, '-')) {
            return NONE;
        }
        int year = number(text, 0, 4);
        int month = number(text, monthAt, 2);
        int day = number(text, dayAt, 2);
        boolean real = year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);
        return real ? dayAt + 2 : NONE;
    }

    /** An hour, an optional minute and second, and an optional fraction of the last of them. */
    private static int afterTime(String text, int from, boolean extended) {
        int hour = number(text, from, 2);
        int minute = 0;
        int second = 0;
        int at = from + 2;
        if (follows(text, at, extended)) {
            int minuteAt = extended ? at + 1 : at;
            minute = number(text, minuteAt, 2);
            at = minuteAt + 2;
            if (follows(text, at, extended)) {
                int secondAt = extended ? at + 1 : at;
                second = number(text, secondAt, 2);
                at = secondAt + 2;
            }
        }
        boolean midnight = hour == 24 && minute == 0 && second == 0;
        boolean real =
                hour >= 0 && minute >= 0 && second >= 0 && (hour < 24 || midnight) && minute < 60 && second <= 60;
        return real ? afterFraction(text, at) : NONE;
    }

    private static int afterFraction(String text, int from) {
        if (!is(text, from, '.') && !is(text, from, ',')) {
            return from;
        }
        int at = from + 1;
        while (isDigit(text, at)) {
            at++;
        }
        return at == from + 1 ? NONE : at;
    }

    private static int afterZone(String text, int from) {
        if (from == text.length()) {
            return from;
        }
        if (is(text, from, 'Z')) {
            return from + 1;
        }
        if (!is(text, from, '+') && !is(text, from, '-')) {
            return NONE;
        }
        int hours = number(text, from + 1, 2);
        int at = from + 3;
        int minutes = 0;
        if (at < text.length()) {
            int minutesAt = is(text, at, ':') ? at + 1 : at;
            minutes = number(text, minutesAt, 2);
            at = minutesAt + 2;
        }
        return hours >= 0 && hours < 24 && minutes >= 0 && minutes < 60 ? at : NONE;
    }

    /** Whether another component of a time follows: after a colon in the extended form, directly in the basic form. */
    private static boolean follows(String text, int at, boolean extended) {
        return extended ? is(text, at, ':') : isDigit(text, at);
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

    private static boolean is(String text, int at, char character) {
        return at < text.length() && text.charAt(at) == character;
    }

    private static int daysOf(int year, int month) {
        boolean leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        return switch (month) {
            case 2 -> leap ? 29 : 28;
            case 4, 6, 9, 11 -> 30;
            default -> 31;
        };
    }
}
