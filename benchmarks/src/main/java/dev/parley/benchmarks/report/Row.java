package dev.parley.benchmarks.report;

/**
 * One line of a table.
 *
 * @param what what is compared with what
 * @param ratio the figure
 * @param target what it should be; null when the figure is only there to know
 */
record Row(String what, Ratio ratio, Target target) {

    String markdown() {
        return "| " + what + " | " + ratio + " | " + (target == null ? "" : target) + " | "
                + (target == null ? "" : target.verdict(ratio)) + " |";
    }
}
