package dev.parley.benchmarks.report;

/**
 * One line of a table.
 *
 * @param what the comparison
 * @param ratio the ratio
 * @param target the target; null if there is none
 */
record Row(String what, Ratio ratio, Target target) {

    String markdown() {
        return "| " + what + " | " + ratio + " | " + (target == null ? "" : target) + " | "
                + (target == null ? "" : target.verdict(ratio)) + " |";
    }
}
