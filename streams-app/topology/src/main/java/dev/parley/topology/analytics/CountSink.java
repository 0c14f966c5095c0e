package dev.parley.topology.analytics;

/** Receives what one audit record adds to the counts. */
@FunctionalInterface
interface CountSink {

    /**
     * Adds counts.
     *
     * @param counts as many as the kind of the dimensions has; not changed afterwards
     */
    void add(Dimensions dimensions, long[] counts);
}
