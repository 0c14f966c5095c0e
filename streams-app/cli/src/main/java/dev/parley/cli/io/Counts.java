package dev.parley.cli.io;

/** Formats numbers with their nouns: "1 fault", "2 faults". */
public final class Counts {
    private Counts() {}

    /** The number and the noun, which takes an s unless the number is 1. */
    public static String of(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
