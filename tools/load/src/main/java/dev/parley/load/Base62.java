package dev.parley.load;

/** Numbers in base 62, as in nSLIP messages. */
public final class Base62 {
    private static final String DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    private Base62() {}

    /** The digits of a number >= 0. */
    public static String of(long number) {
        String last = DIGITS.substring((int) (number % 62), (int) (number % 62) + 1);
        return number < 62 ? last : of(number / 62) + last;
    }
}
