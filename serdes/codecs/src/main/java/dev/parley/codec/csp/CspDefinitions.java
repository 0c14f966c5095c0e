package dev.parley.codec.csp;

/** Parses DEF lines outside a patch (CSP v1 "PROJECT DEFs"), which a message keeps as fields with the key DEF. */
public final class CspDefinitions {

    private CspDefinitions() {}

    /**
     * Returns the name that a DEF line defines: as in a patch, one word.
     *
     * @param value the value of a field with the key DEF, such as {@code SRC = src/} or {@code SRC := src/}
     * @return the first word of the first line; empty for an empty line
     */
    public static String name(String value) {
        return value.substring(0, CspPatch.wordEnd(value, 0));
    }
}
