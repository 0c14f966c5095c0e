package dev.parley.load.soak;

import dev.parley.load.process.Sample;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Draws measures against messages as an SVG chart: one line per measure, one scale. */
final class Chart {
    private static final int WIDTH = 860;
    private static final int HEIGHT = 420;
    private static final int LEFT = 64;
    private static final int TOP = 20;
    private static final int RIGHT = 24;
    private static final int BOTTOM = 76;
    private static final int STEPS = 5;

    /** A measure and its color. */
    private record Line(String name, String color, ToDoubleFunction<Sample> measure) {}

    private static final List<Line> LINES = List.of(
            new Line("resident memory", "#1f5fa8", Sample::residentMiB),
            new Line("heap after a full collection", "#b5541c", Sample::heapMiB),
            new Line("RocksDB", "#2e7d4f", Sample::rocksMiB),
            new Line("outside the heap", "#7a4fa3", Sample::nonHeapMiB));

    private Chart() {}

    static String svg(List<Sample> samples) {
        double most = samples.get(samples.size() - 1).messages();
        double highest = LINES.stream()
                .flatMapToDouble(line -> samples.stream().mapToDouble(line.measure()))
                .max()
                .orElse(1);
        double top = roundUp(highest);
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
                        + "font-size=\"12\">%n"
                        + "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>%n",
                WIDTH,
                HEIGHT,
                WIDTH,
                HEIGHT));
        for (int step = 0; step <= STEPS; step++) {
            double part = (double) step / STEPS;
            double y = y(part);
            svg.append(String.format(
                    Locale.ROOT,
                    "<path d=\"M%d %.1fH%d\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" "
                            + "text-anchor=\"end\">%.0f</text>%n",
                    LEFT,
                    y,
                    WIDTH - RIGHT,
                    LEFT - 8,
                    y + 4,
                    part * top));
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>%n",
                    x(part),
                    HEIGHT - BOTTOM + 18,
                    count(part * most)));
        }
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">messages</text><text x=\"12\" y=\"%d\" "
                        + "transform=\"rotate(-90 12 %d)\" text-anchor=\"middle\">MiB</text>%n",
                (LEFT + WIDTH - RIGHT) / 2,
                HEIGHT - BOTTOM + 36,
                HEIGHT / 2 - 20,
                HEIGHT / 2 - 20));
        int legend = LEFT;
        for (Line line : LINES) {
            StringBuilder points = new StringBuilder();
            for (Sample sample : samples) {
                points.append(String.format(
                        Locale.ROOT,
                        "%.1f,%.1f ",
                        x(sample.messages() / most),
                        y(line.measure().applyAsDouble(sample) / top)));
            }
            svg.append(String.format(
                    Locale.ROOT,
                    "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" points=\"%s\"/>%n"
                            + "<path d=\"M%d %dh18\" stroke=\"%s\" stroke-width=\"3\"/><text x=\"%d\" "
                            + "y=\"%d\">%s</text>%n",
                    line.color(),
                    points.toString().strip(),
                    legend,
                    HEIGHT - 14,
                    line.color(),
                    legend + 24,
                    HEIGHT - 10,
                    line.name()));
            legend += 48 + 7 * line.name().length();
        }
        return svg.append("</svg>\n").toString();
    }

    private static double x(double part) {
        return LEFT + part * (WIDTH - LEFT - RIGHT);
    }

    private static double y(double part) {
        return HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM);
    }

    private static String count(double messages) {
        return messages >= 1_000_000
                ? String.format(Locale.ROOT, "%.1f M", messages / 1_000_000)
                : String.format(Locale.ROOT, "%.0f k", messages / 1_000);
    }

    /** The next round number that the steps divide. */
    private static double roundUp(double value) {
        double unit = Math.pow(10, Math.floor(Math.log10(Math.max(1, value))));
        for (double factor : new double[] {1, 1.5, 2, 2.5, 3, 4, 5, 7.5}) {
            if (factor * unit >= value) {
                return factor * unit;
            }
        }
        return 10 * unit;
    }
}
