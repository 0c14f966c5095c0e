package dev.parley.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds the names that were probably meant by a misspelled one. */
public final class NearestNames {
    private NearestNames() {}

    /**
     * The nearest names, by the number of characters to insert, remove or replace.
     *
     * @param meant the misspelled name
     * @param limit maximum number of names
     */
    public static List<String> of(String meant, Collection<String> names, int limit) {
        return names.stream()
                .sorted(Comparator.comparingInt((String name) -> distance(meant, name))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(limit)
                .toList();
    }

    /** The nearest name, ignoring case; empty if more than a third of its characters, or
     * two of a short name, differ. */
    public static Optional<String> suggestion(String meant, Collection<String> names) {
        String lower = meant.toLowerCase(Locale.ROOT);
        return names.stream()
                .filter(name -> distance(lower, name.toLowerCase(Locale.ROOT)) <= Math.max(2, name.length() / 3))
                .min(Comparator.comparingInt((String name) -> distance(lower, name.toLowerCase(Locale.ROOT)))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** Levenshtein distance, row by row. */
    public static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int above = row[j];
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(above, row[j - 1]));
                diagonal = above;
            }
        }
        return row[to.length()];
    }
}
