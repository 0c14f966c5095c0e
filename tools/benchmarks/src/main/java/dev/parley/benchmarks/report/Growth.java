package dev.parley.benchmarks.report;

import dev.parley.benchmarks.Adversary;
import dev.parley.benchmarks.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Growth of the decoding cost with the size of the message. */
final class Growth {
    /** Maximum ratio of times per byte. */
    static final Target FLAT = Target.atMost(1.3);

    private static final int[] SIZES = {100, 1_000, 10_000, 100_000, 1_000_000};
    private static final int SMALLER = 100_000;
    private static final int LARGER = 1_000_000;

    private final Results results;

    Growth(Results results) {
        this.results = results;
    }

    /** For each shape, the time per byte at each size relative to its best size, and the worst of these as a ratio. */
    List<String> shapes() {
        List<String> lines = new ArrayList<>();
        for (Shape shape : Shape.values()) {
            shape(shape).ifPresent(lines::add);
        }
        return lines;
    }

    /** For each adversary, the time per byte of the larger input relative to the smaller. */
    List<Row> adversaries() {
        List<Row> rows = new ArrayList<>();
        for (Adversary adversary : Adversary.values()) {
            Optional<Score> smaller = perByte("AdversaryBenchmark.decode", adversary, SMALLER);
            Optional<Score> larger = perByte("AdversaryBenchmark.decode", adversary, LARGER);
            if (smaller.isPresent() && larger.isPresent()) {
                rows.add(new Row(words(adversary), Ratio.of(larger.get(), smaller.get()), FLAT));
            }
        }
        return rows;
    }

    private Optional<String> shape(Shape shape) {
        Score best = null;
        Score worst = null;
        for (int size : SIZES) {
            Score score = perByte("GrowthBenchmark.decode", shape, size).orElse(null);
            if (score != null) {
                best = best == null || score.mean() < best.mean() ? score : best;
                worst = worst == null || score.mean() > worst.mean() ? score : worst;
            }
        }
        if (best == null) {
            return Optional.empty();
        }
        StringBuilder line = new StringBuilder("| ").append(words(shape)).append(" |");
        for (int size : SIZES) {
            Optional<Score> score = perByte("GrowthBenchmark.decode", shape, size);
            line.append(' ')
                    .append(score.isPresent() ? Ratio.number(score.get().mean() / best.mean()) : "")
                    .append(" |");
        }
        Ratio ratio = Ratio.of(worst, best);
        return Optional.of(line.append(' ')
                .append(ratio)
                .append(" | ")
                .append(FLAT)
                .append(" | ")
                .append(FLAT.verdict(ratio))
                .append(" |")
                .toString());
    }

    private Optional<Score> perByte(String benchmark, Enum<?> what, int size) {
        return results.time(Measured.of(benchmark, what, size)).map(score -> score.per(size));
    }

    /** Formats SLIP_TINY_FIELDS as "nSLIP: tiny fields". */
    private static String words(Enum<?> constant) {
        int end = constant.name().indexOf('_');
        String protocol = constant.name().substring(0, end);
        String rest = constant.name().substring(end + 1).replace('_', ' ').toLowerCase(Locale.ROOT);
        return Ratios.name(dev.parley.avro.Protocol.valueOf(protocol)) + ": " + rest;
    }
}
