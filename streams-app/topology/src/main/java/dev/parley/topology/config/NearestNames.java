package dev.parley.topology.config;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds the names that were probably meant by a misspelled one. */
public final class NearestNames {
    private NearestNames() {}

    /**
     * The nearest names, by the number of characters to insert, remove, replace, or swap with the next.
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

    /**
     * The end of an error about an unknown name: the question for the nearest name, or another text.
     *
     * @param otherwise the end if no name is near
     */
    public static String didYouMean(String meant, Collection<String> names, String otherwise) {
        return suggestion(meant, names)
                .map(near -> "; did you mean " + near + "?")
                .orElse(otherwise);
    }

    /** The nearest name, ignoring case; empty if more than a third of its characters, or
     * two of a short name, differ. */
    public static Optional<String> suggestion(String meant, Collection<String> names) {
        String lower = meant.toLowerCase(Locale.ROOT);
        return names.stream()
                .filter(name -> distance(lower, name.toLowerCase(Locale.ROOT)) <= Math.max(2, name.length() / 3))
                .min(Comparator.comparingInt((String name) -> distance(lower, name.toLowerCase(Locale.ROOT)))
                        .thenComparing(name -> -commonPrefix(lower, name.toLowerCase(Locale.ROOT)))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** Length of the prefix that two names share: people seldom misspell the first characters. */
    private static int commonPrefix(String first, String second) {
        int length = 0;
        while (length < Math.min(first.length(), second.length()) && first.charAt(length) == second.charAt(length)) {
            length++;
        }
        return length;
    }

    /** Number of characters to insert, remove, replace, or swap with the next, to make one name of the other. */
    public static int distance(String from, String to) {
        // Three rows instead of a table, because names can be long.
        int[] beforeLast = new int[to.length() + 1];
        int[] last = new int[to.length() + 1];
        int[] row = new int[to.length() + 1];
        Arrays.setAll(row, j -> j);
        for (int i = 1; i <= from.length(); i++) {
            int[] free = beforeLast;
            beforeLast = last;
            last = row;
            row = free;
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = last[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(last[j], row[j - 1]));
                if (areSwapped(from, i, to, j)) {
                    row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
                }
            }
        }
        return row[to.length()];
    }

    private static boolean areSwapped(String from, int i, String to, int j) {
        return i > 1 && j > 1 && from.charAt(i - 1) == to.charAt(j - 2) && from.charAt(i - 2) == to.charAt(j - 1);
    }
}
