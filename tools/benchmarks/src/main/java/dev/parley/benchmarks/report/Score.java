package dev.parley.benchmarks.report;

/**
 * A measurement by JMH.
 *
 * @param mean mean of all iterations
 * @param error half the width of JMH's 99.9 % confidence interval; NaN after too few iterations
 */
record Score(double mean, double error) {

    /** The score divided by a number of parts. */
    Score per(double parts) {
        return new Score(mean / parts, error / parts);
    }

    double low() {
        return mean - error;
    }

    double high() {
        return mean + error;
    }
}
