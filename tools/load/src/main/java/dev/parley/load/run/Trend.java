package dev.parley.load.run;

import dev.parley.load.Markdown;
import java.util.List;

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

    /** The trends of all measures. */
    static List<Trend> all(List<Sample> samples) {
        Sample last = samples.get(samples.size() - 1);
        long messages = last.messages();
        List<Sample> third = between(samples, messages / 2, messages * 3 / 4);
        List<Sample> fourth = between(samples, messages * 3 / 4, messages + 1);
        return last.measures().keySet().stream()
                .map(name -> new Trend(name, mean(name, third), mean(name, fourth), third.size() + fourth.size()))
                .toList();
    }

    private static List<Sample> between(List<Sample> samples, long from, long to) {
        return samples.stream()
                .filter(sample -> sample.messages() >= from && sample.messages() < to)
                .toList();
    }

    private static double mean(String name, List<Sample> samples) {
        return samples.stream()
                .mapToDouble(sample -> sample.measures().get(name))
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
