package dev.parley.cli.io;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** The names that somebody may have meant. */
public final class NearestNames {
    private NearestNames() {}

    /**
     * The few names that take the fewest insertions, removals and replacements of a character to become, the nearest
     * first.
     */
    public static List<String> of(String meant, Collection<String> names, int few) {
        return names.stream()
                .sorted(Comparator.comparingInt((String name) -> distance(meant, name))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(few)
                .toList();
    }

    /** Levenshtein's distance, row by row. */
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
