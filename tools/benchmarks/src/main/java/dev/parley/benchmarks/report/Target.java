package dev.parley.benchmarks.report;

/**
 * The target of a ratio.
 *
 * @param least whether the bound is a minimum, not a maximum
 * @param bound the bound, inclusive
 */
record Target(boolean least, double bound) {

    static Target atLeast(double bound) {
        return new Target(true, bound);
    }

    static Target atMost(double bound) {
        return new Target(false, bound);
    }

    boolean isMetBy(Ratio ratio) {
        return least ? ratio.value() >= bound : ratio.value() <= bound;
    }

    /** {@code ok} or {@code missed}, and whether the error of the measurement crosses the bound. */
    String verdict(Ratio ratio) {
        String verdict = isMetBy(ratio) ? "ok" : "**missed**";
        boolean within = ratio.low() <= bound && bound <= ratio.high();
        return within ? verdict + ", within the error" : verdict;
    }

    @Override
    public String toString() {
        return (least ? "≥ " : "≤ ") + bound;
    }
}
