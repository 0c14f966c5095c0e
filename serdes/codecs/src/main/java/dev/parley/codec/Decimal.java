package dev.parley.codec;

/** Parses non-negative decimal integers without exceptions, and writes them. */
public final class Decimal {
    /** Result for text that is not a decimal integer in bounds. */
    public static final long NONE = -1;

    private static final String[] SMALL = new String[1_024];

    static {
        for (int i = 0; i < SMALL.length; i++) {
            SMALL[i] = Integer.toString(i);
        }
    }

    private Decimal() {}

    /** The digits of a number; a shared string if it is small, as most identifiers are. */
    public static String text(long number) {
        return number >= 0 && number < SMALL.length ? SMALL[(int) number] : Long.toString(number);
    }

    /**
     * Parses ASCII digits.
     *
     * @param from index of the first digit
     * @param to index after the last digit
     * @param max largest value allowed
     * @return the value; {@link #NONE} if there is no digit, another character, or a larger value
     */
    public static long parse(CharSequence text, int from, int to, long max) {
        long value = from < to && to <= text.length() ? 0 : NONE;
        for (int at = from; at < to && value != NONE; at++) {
            value = append(value, text.charAt(at), max);
        }
        return value;
    }

    /** The same for a whole text. */
    public static long parse(CharSequence text, long max) {
        return parse(text, 0, text.length(), max);
    }

    /** The same for bytes. */
    public static long parse(byte[] text, int from, int to, long max) {
        long value = from < to && to <= text.length ? 0 : NONE;
        for (int at = from; at < to && value != NONE; at++) {
            value = append(value, text[at], max);
        }
        return value;
    }

    private static long append(long value, int character, long max) {
        int digit = character - '0';
        // max - digit is negative for a larger digit alone, and a negative quotient would round to 0.
        return digit < 0 || digit > 9 || digit > max || value > (max - digit) / 10 ? NONE : value * 10 + digit;
    }
}
