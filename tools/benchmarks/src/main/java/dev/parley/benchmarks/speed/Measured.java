package dev.parley.benchmarks.speed;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Speed of one run.
 *
 * @param perSecond messages per second
 * @param cpuMicros processor time of the process per message, in microseconds
 * @param brokerMicros processor time of the broker per message, in microseconds
 */
record Measured(double perSecond, double cpuMicros, double brokerMicros) {

    /** Returns the speed between two observations of a run. */
    static Measured between(Observation from, Observation to) {
        double messages = to.messages() - from.messages();
        return new Measured(
                messages / (to.nanos() - from.nanos()) * 1e9,
                (to.cpuNanos() - from.cpuNanos()) / messages / 1e3,
                (to.brokerNanos() - from.brokerNanos()) / messages / 1e3);
    }

    /** Prints the speed of a run as progress. */
    Measured report(String run) {
        System.err.printf(
                Locale.ROOT,
                "speed: %s: %,.0f messages/s, %.1f µs of CPU, %.1f µs of the broker's%n",
                run,
                perSecond,
                cpuMicros,
                brokerMicros);
        return this;
    }

    /**
     * State of a run at a time.
     *
     * @param nanos the time
     * @param messages messages processed so far
     * @param cpuNanos processor time of the process so far
     * @param brokerNanos processor time of the broker so far
     */
    record Observation(long nanos, long messages, long cpuNanos, long brokerNanos) {}

    /** Median, lowest and highest of several values. */
    record Spread(double median, double lowest, double highest) {
        /**
         * Returns the spread of values.
         *
         * @throws IllegalArgumentException if there are none
         */
        static Spread of(double... values) {
            if (values.length == 0) {
                throw new IllegalArgumentException("No values");
            }
            double[] sorted = values.clone();
            Arrays.sort(sorted);
            int middle = sorted.length / 2;
            double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
            return new Spread(median, sorted[0], sorted[sorted.length - 1]);
        }

        /** Returns the spread of one measure of several runs. */
        static <T> Spread of(List<T> runs, ToDoubleFunction<T> measure) {
            return of(runs.stream().mapToDouble(measure).toArray());
        }

        /**
         * Returns the cell of a table: the median, and the lowest to the highest of several values.
         *
         * @param decimals number of decimal places
         */
        String cell(int decimals) {
            String number = "%,." + decimals + "f";
            return lowest == highest
                    ? String.format(Locale.ROOT, number, median)
                    : String.format(
                            Locale.ROOT, number + " (" + number + " to " + number + ")", median, lowest, highest);
        }
    }
}
