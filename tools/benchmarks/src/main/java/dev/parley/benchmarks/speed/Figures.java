package dev.parley.benchmarks.speed;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Values of figures, which a page contains as a table.
 *
 * @param values value of each figure
 */
record Figures(Map<Figure, Double> values) {

    /**
     * Returns the measured figures of one run of Parley.
     *
     * @param diskBytes bytes per message of the output topics on disk
     */
    static Figures measured(Measured speed, List<TopicBytes> topics, double diskBytes, double residentMiB) {
        Predicate<TopicBytes> input = topic -> topic.topic().startsWith("parley.wire");
        Predicate<TopicBytes> repartition = topic -> topic.topic().endsWith("-repartition");
        Predicate<TopicBytes> changelog = topic -> topic.topic().endsWith("-changelog");
        TopicBytes state = TopicBytes.named(topics, "conversations-changelog");
        Map<Figure, Double> values = new EnumMap<>(Figure.class);
        values.put(Figure.THREAD_RATE, speed.perSecond());
        values.put(Figure.CPU, speed.cpuMicros());
        values.put(Figure.BROKER_CPU, speed.brokerMicros());
        values.put(Figure.MEMORY, residentMiB);
        values.put(Figure.INPUT_BYTES, bytes(topics, input));
        values.put(Figure.REPARTITION_BYTES, bytes(topics, repartition));
        double outputs = bytes(topics, input.or(repartition).or(changelog).negate());
        values.put(Figure.OUTPUT_BYTES, outputs);
        values.put(Figure.CHANGELOG_BYTES, bytes(topics, changelog));
        values.put(Figure.COMPRESSED, diskBytes / outputs);
        values.put(Figure.STATE_BYTES, state.key() + state.value());
        return new Figures(values);
    }

    private static double bytes(List<TopicBytes> topics, Predicate<TopicBytes> which) {
        return topics.stream().filter(which).mapToDouble(TopicBytes::perMessage).sum();
    }

    /** Returns these figures, replaced by those of others. */
    Figures with(Figures others) {
        Map<Figure, Double> all = new EnumMap<>(values);
        all.putAll(others.values);
        return new Figures(all);
    }

    /** Returns a value. */
    double get(Figure figure) {
        return values.get(figure);
    }

    /**
     * Reads what {@link #table} returns.
     *
     * @throws IllegalArgumentException if a figure is missing
     */
    static Figures parse(String table) {
        Map<Figure, Double> values = new EnumMap<>(Figure.class);
        for (Figure figure : Figure.values()) {
            String start = "| " + figure.title() + " | ";
            int begin = table.indexOf(start) + start.length();
            if (begin < start.length()) {
                throw new IllegalArgumentException("The table of figures has no row '" + figure.title() + "'");
            }
            String number = table.substring(begin, table.indexOf(" |", begin));
            values.put(figure, Double.valueOf(number.replace(",", "")));
        }
        return new Figures(values);
    }

    /** Returns a table with a row per figure. */
    String table() {
        StringBuilder table = new StringBuilder("| figure | value | source |\n|---|---|---|\n");
        values.forEach((figure, value) -> table.append(String.format(
                Locale.ROOT,
                value < 100 && value != Math.rint(value) ? "| %s | %.2f | %s |\n" : "| %s | %,.0f | %s |\n",
                figure.title(),
                value,
                figure.source())));
        return table.toString();
    }
}
