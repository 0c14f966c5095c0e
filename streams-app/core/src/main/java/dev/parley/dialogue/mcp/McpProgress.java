package dev.parley.dialogue.mcp;

import java.math.BigDecimal;

/** Compares numbers of progress exactly. */
final class McpProgress {
    /** Maximum length of a compared number. */
    private static final int MAX_LENGTH = 32;

    private McpProgress() {}

    /** Whether a number is compared: it has neither too many digits nor an exponent, with which it may be huge. */
    static boolean isComparable(String number) {
        return number != null
                && number.length() <= MAX_LENGTH
                && McpMethods.Type.NUMBER.fits(number)
                && number.indexOf('e') < 0
                && number.indexOf('E') < 0;
    }

    /** Whether a number is greater than the one before, or they are not compared. */
    static boolean increases(String before, String number) {
        return before == null || !isComparable(number) || new BigDecimal(number).compareTo(new BigDecimal(before)) > 0;
    }
}
