package dev.parley.fuzz;

/** Checks without cost while they hold: the fuzzers run them thousands of times a second. */
final class Promise {
    /** A few names of a hundred characters each, all of them escaped. */
    private static final int MOST_CHARACTERS = 3_000;

    private Promise() {}

    /** Fails with a sentence about what does not hold. */
    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be the only reason for one more dependency
    static void require(boolean holds, String promise, Object... about) {
        if (!holds) {
            throw new AssertionError(String.format(promise, about));
        }
    }

    /** Fails unless both are equal; names the promise and shows both. */
    static void requireEqual(Object actual, Object expected, String promise) {
        if (!expected.equals(actual)) {
            throw new AssertionError(promise + "\n  expected " + expected + "\n  but was  " + actual);
        }
    }

    /** What is written for people to read: not blank, not long, and nothing in it that breaks a line of a log. */
    static void requireSentence(String text) {
        require(text != null && !text.isBlank(), "a detail says something");
        require(text.length() <= MOST_CHARACTERS, "a detail has %d characters", text.length());
        for (int i = 0; i < text.length(); i++) {
            require(!Character.isISOControl(text.charAt(i)), "a detail stays on its line: %s", text);
        }
    }
}
