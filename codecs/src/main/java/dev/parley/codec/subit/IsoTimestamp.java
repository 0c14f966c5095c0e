package dev.parley.codec.subit;

/**
 * Tells whether a text is a date and time as ISO 8601 writes them: a calendar date, T, a time to the hour or finer, and perhaps a zone; date and
 * time both in extended or both in basic form. (java.time would tell by an exception, and only of the extended form.)
 */
final class IsoTimestamp {
    private final String text;
    private final boolean extended;
    private int at;

    private IsoTimestamp(String text) {
        this.text = text;
        this.extended = text.length() > 4 && text.charAt(4) == '-';
    }

    static boolean isValid(String text) {
        return new IsoTimestamp(text).read();
    }

    private boolean read() {
        return date() && take('T') && time() && zone() && at == text.length();
    }

    private boolean date() {
        int year = number(4);
        boolean separated = separator('-');
        int month = number(2);
        separated = separated && separator('-');
        int day = number(2);
        return separated && year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);
    }

    private boolean time() {
        int hour = number(2);
        int minute = 0;
        int second = 0;
        if (moreOf(':')) {
            minute = number(2);
            if (moreOf(':')) {
                second = number(2);
            }
        }
        boolean fraction = !(take('.') || take(',')) || digits() > 0;
        boolean midnight = hour == 24 && minute == 0 && second == 0;
        return fraction
                && hour >= 0
                && minute >= 0
                && second >= 0
                && (hour < 24 || midnight)
                && minute < 60
                && second <= 60;
    }

    private boolean zone() {
        if (at == text.length() || take('Z')) {
            return true;
        }
        if (!take('+') && !take('-')) {
            return false;
        }
        int hours = number(2);
        int minutes = take(':') || at < text.length() ? number(2) : 0;
        return hours >= 0 && hours < 24 && minutes >= 0 && minutes < 60;
    }

    /** Takes the separator if the form has one; false when it should be there and is not. */
    private boolean separator(char separator) {
        return !extended || take(separator);
    }

    /** Whether another component follows; takes its separator. */
    private boolean moreOf(char separator) {
        return extended ? take(separator) : at < text.length() && isDigit(text.charAt(at));
    }

    private boolean take(char character) {
        if (at < text.length() && text.charAt(at) == character) {
            at++;
            return true;
        }
        return false;
    }

    /** A number of so many digits, or -1. */
    private int number(int length) {
        if (text.length() - at < length) {
            return -1;
        }
        int number = 0;
        for (int i = 0; i < length; i++) {
            char digit = text.charAt(at);
            if (!isDigit(digit)) {
                return -1;
            }
            number = number * 10 + digit - '0';
            at++;
        }
        return number;
    }

    private int digits() {
        int from = at;
        while (at < text.length() && isDigit(text.charAt(at))) {
            at++;
        }
        return at - from;
    }

    private static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
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
