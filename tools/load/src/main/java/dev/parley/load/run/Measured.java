package dev.parley.load.run;

/**
 * Speed of one run.
 *
 * @param perSecond messages per second
 * @param cpuMicros processor time of the process per message, in microseconds
 * @param brokerMicros processor time of the broker per message, in microseconds
 */
record Measured(double perSecond, double cpuMicros, double brokerMicros) {
    /** Returns the speed between two observations of a run, which is printed as progress. */
    static Measured between(String run, Observation from, Observation to) {
        double messages = to.messages() - from.messages();
        Measured speed = new Measured(
                messages / (to.nanos() - from.nanos()) * 1e9,
                (to.cpuNanos() - from.cpuNanos()) / messages / 1e3,
                (to.brokerNanos() - from.brokerNanos()) / messages / 1e3);
        BenchRun.progress(
                run,
                "%,.0f messages/s, %.1f µs of CPU, %.1f µs of the broker's",
                speed.perSecond,
                speed.cpuMicros,
                speed.brokerMicros);
        return speed;
    }

    /**
     * State of a run at a time.
     *
     * @param nanos the time
     * @param messages messages processed so far
     * @param cpuNanos processor time of the process so far
     * @param brokerNanos processor time of the broker so far
     */
    record Observation(long nanos, double messages, long cpuNanos, long brokerNanos) {}
}
