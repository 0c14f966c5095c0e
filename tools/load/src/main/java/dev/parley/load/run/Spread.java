package dev.parley.load.run;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Median, lowest and highest of the values of several rounds. */
record Spread(double median, double lowest, double highest) {
    /**
     * Returns the spread of one measure of several runs.
     *
     * @throws IllegalArgumentException if there are none
     */
    static <T> Spread of(List<T> runs, ToDoubleFunction<T> measure) {
        double[] sorted = runs.stream().mapToDouble(measure).sorted().toArray();
        if (sorted.length == 0) {
            throw new IllegalArgumentException("No values");
        }
        double median = (sorted[sorted.length / 2] + sorted[(sorted.length - 1) / 2]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }

    /** Returns the cell of a table: the median, and the lowest to the highest of several values. */
    @Override
    public String toString() {
        String number = highest < 100 ? "%,.1f" : "%,.0f";
        return lowest == highest
                ? String.format(Locale.ROOT, number, median)
                : String.format(Locale.ROOT, number + " (" + number + " to " + number + ")", median, lowest, highest);
    }
}
