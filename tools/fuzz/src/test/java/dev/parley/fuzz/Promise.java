package dev.parley.fuzz;

/** Assertions without cost while they hold, because the fuzzers evaluate them thousands of times per second. */
final class Promise {
    /** Enough for a few names of a hundred characters, all of them escaped. */
    private static final int MAX_CHARACTERS = 3_000;

    private Promise() {}

    /** Fails with the violated property. */
    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be the only reason for one more dependency
    static void require(boolean holds, String promise, Object... about) {
        if (!holds) {
            throw new AssertionError(String.format(promise, about));
        }
    }

    /** Fails unless both are equal, with the violated property and both values. */
    static void requireEqual(Object actual, Object expected, String promise) {
        if (!expected.equals(actual)) {
            throw new AssertionError(promise + "\n  expected " + expected + "\n  but was  " + actual);
        }
    }

    /** Requires text for people: not blank, not long, and without characters that break a log line. */
    static void requireSentence(String text) {
        require(text != null && !text.isBlank(), "a detail must not be blank");
        require(text.length() <= MAX_CHARACTERS, "a detail has %d characters", text.length());
        for (int i = 0; i < text.length(); i++) {
            require(!Character.isISOControl(text.charAt(i)), "a detail must be one line: %s", text);
        }
    }
}
