package dev.parley.load.process;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleBinaryOperator;

/**
 * Metrics in Prometheus' text format.
 *
 * @param lines its samples: name, labels, value
 */
public record Exposition(List<String> lines) {

    public static Exposition of(String page) {
        List<String> lines = new ArrayList<>();
        page.lines().filter(line -> !line.startsWith("#") && !line.isBlank()).forEach(lines::add);
        return new Exposition(lines);
    }

    public double sum(String name, String... labels) {
        return fold(name, Double::sum, labels);
    }

    public double max(String name, String... labels) {
        return fold(name, Math::max, labels);
    }

    /**
     * Folds the values of all samples with that name and all these labels; a value that is not a number counts as 0.
     */
    private double fold(String name, DoubleBinaryOperator operator, String... labels) {
        double value = 0;
        for (String line : lines) {
            int end = line.indexOf('{') < 0 ? line.indexOf(' ') : line.indexOf('{');
            if (line.substring(0, end).equals(name) && List.of(labels).stream().allMatch(line::contains)) {
                double one = Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
                value = operator.applyAsDouble(value, Double.isNaN(one) ? 0 : one);
            }
        }
        return value;
    }
}
