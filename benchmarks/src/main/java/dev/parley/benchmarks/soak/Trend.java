package dev.parley.benchmarks.soak;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Where a measure went in the second half of a run: by then everything is warm, and what still grows has no bound.
 *
 * @param name of the measure
 * @param half its mean in the third quarter
 * @param end its mean in the fourth
 */
public record Trend(String name, double half, double end) {
    /** More than this part of growth from the third quarter to the fourth is no noise. */
    private static final double NOISE = 0.08;

    /** Nor is less than this, in the measure's unit. */
    private static final double LEAST = 8;

    static Trend of(String name, List<Sample> samples, ToDoubleFunction<Sample> measure) {
        long last = samples.get(samples.size() - 1).messages();
        return new Trend(
                name, mean(samples, measure, last / 2, last * 3 / 4), mean(samples, measure, last * 3 / 4, last + 1));
    }

    /** The trends of all measures of memory. */
    public static List<Trend> all(List<Sample> samples) {
        return List.of(
                of("heap behind a full collection, MiB", samples, Sample::heapMiB),
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

    /** Whether the growth is within the noise. */
    public boolean isFlat() {
        return end - half <= Math.max(LEAST, NOISE * half);
    }

    /** A row of a table in Markdown. */
    public String row() {
        return String.format(Locale.ROOT, "| %s | %.1f | %.1f | %s |", name, half, end, isFlat() ? "flat" : "grows");
    }
}
