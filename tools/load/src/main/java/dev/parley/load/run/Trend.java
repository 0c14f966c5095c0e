package dev.parley.load.run;

import dev.parley.load.Markdown;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Trend of a measure in the second half of a run, after warm-up, when any growth is unbounded.
 *
 * @param name name of the measure
 * @param half its mean in the third quarter
 * @param end its mean in the fourth quarter
 * @param samples number of samples in both quarters
 */
record Trend(String name, double half, double end, int samples) {
    /** Minimum number of samples in both quarters; fewer show noise only. */
    private static final int MIN_SAMPLES = 10;

    /** Maximum relative growth from the third to the fourth quarter that counts as noise. */
    private static final double NOISE = 0.08;

    /** Maximum absolute growth that counts as noise, in the measure's unit. */
    private static final double MAX_NOISE = 8;

    static Trend of(String name, List<Sample> samples, ToDoubleFunction<Sample> measure) {
        long last = samples.get(samples.size() - 1).messages();
        return new Trend(
                name,
                mean(samples, measure, last / 2, last * 3 / 4),
                mean(samples, measure, last * 3 / 4, last + 1),
                (int) samples.stream()
                        .filter(sample -> sample.messages() >= last / 2)
                        .count());
    }

    /** The trends of all measures of memory. */
    static List<Trend> all(List<Sample> samples) {
        return List.of(
                of("heap after a full collection, MiB", samples, Sample::heapMiB),
                of("resident memory of the process, MiB", samples, Sample::residentMiB),
                of("RocksDB, MiB", samples, Sample::rocksMiB),
                of("outside the heap, MiB", samples, Sample::nonHeapMiB),
                of("threads", samples, Sample::threads));
    }

    private static double mean(List<Sample> samples, ToDoubleFunction<Sample> measure, long from, long to) {
        return samples.stream()
                .filter(sample -> sample.messages() >= from && sample.messages() < to)
                .mapToDouble(measure)
                .average()
                .orElse(Double.NaN);
    }

    /** Whether the growth is within the noise, or the run was too short to show any. */
    boolean isFlat() {
        return samples < MIN_SAMPLES || end - half <= Math.max(MAX_NOISE, NOISE * half);
    }

    /** A row of a table in Markdown. */
    String row() {
        String result = samples < MIN_SAMPLES ? "too few samples" : isFlat() ? "flat" : "grows";
        return Markdown.row(name, Markdown.cell(half, 1), Markdown.cell(end, 1), result);
    }
}
