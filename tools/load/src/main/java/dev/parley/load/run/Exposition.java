package dev.parley.load.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.load.process.ParleyProcess;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Metrics in Prometheus' text format.
 *
 * @param lines its samples: name, labels, value
 */
record Exposition(List<String> lines) {
    static Exposition of(ParleyProcess parley) {
        return of(new String(parley.client().bytes("/metrics"), UTF_8));
    }

    static Exposition of(String page) {
        return new Exposition(page.lines()
                .filter(line -> !line.startsWith("#") && !line.isBlank())
                .toList());
    }

    /** The values of all samples with that name and all these labels; a value that is not a number counts as 0. */
    DoubleStream values(String name, String... labels) {
        return lines.stream()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .filter(line -> Stream.of(labels).allMatch(line::contains))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .map(value -> Double.isNaN(value) ? 0 : value);
    }

    double sum(String name, String... labels) {
        return values(name, labels).sum();
    }
}
