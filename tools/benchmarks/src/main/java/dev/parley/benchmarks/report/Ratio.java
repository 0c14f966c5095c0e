package dev.parley.benchmarks.report;

import java.util.Locale;

/**
 * The ratio of two scores, with the widest interval within their errors.
 *
 * @param value ratio of the means
 * @param low minimum ratio, at least 0; NaN if an error is unknown
 * @param high maximum ratio, possibly infinite; NaN if an error is unknown
 */
record Ratio(double value, double low, double high) {

    static Ratio of(Score over, Score under) {
        double low = Math.max(0, over.low()) / under.high();
        double high = under.low() > 0 ? over.high() / under.low() : Double.POSITIVE_INFINITY;
        boolean known = !Double.isNaN(over.error()) && !Double.isNaN(under.error());
        return new Ratio(over.mean() / under.mean(), known ? low : Double.NaN, known ? high : Double.NaN);
    }

    /** For example {@code 5.21 (5.02 to 5.40)}. */
    @Override
    public String toString() {
        return Double.isNaN(low) ? number(value) : number(value) + " (" + number(low) + " to " + number(high) + ")";
    }

    static String number(double value) {
        return Double.isInfinite(value) ? "∞" : String.format(Locale.ROOT, value < 0.1 ? "%.3f" : "%.2f", value);
    }
}
