package dev.parley.benchmarks.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.benchmarks.CpuTime;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The results of one run, in JMH's JSON format with {@code -prof gc}. */
final class Results {
    private final Map<String, JsonNode> entries = new HashMap<>();
    private final JsonNode any;

    private Results(JsonNode file) {
        for (JsonNode entry : file) {
            entries.put(key(entry), entry);
        }
        any = file.path(0);
    }

    /**
     * Reads a results file.
     *
     * @throws IOException if it cannot be read or has no results
     */
    static Results read(Path file) throws IOException {
        JsonNode json = new ObjectMapper().readTree(file.toFile());
        if (!json.isArray() || json.isEmpty()) {
            throw new IOException(file + " has no results of JMH");
        }
        return new Results(json);
    }

    /** Time of one operation, as processor time if that was measured; empty if the benchmark was not run. */
    Optional<Score> time(Measured measured) {
        return isByProcessor()
                ? secondary(measured, CpuTime.METRIC)
                : Optional.ofNullable(entries.get(measured.key())).map(entry -> score(entry.path("primaryMetric")));
    }

    /** Bytes that one operation allocates; empty if the benchmark was not run. */
    Optional<Score> allocation(Measured measured) {
        return secondary(measured, "gc.alloc.rate.norm");
    }

    /** Whether times are processor time, not wall-clock time. */
    boolean isByProcessor() {
        return any.path("secondaryMetrics").has(CpuTime.METRIC);
    }

    private Optional<Score> secondary(Measured measured, String metric) {
        return Optional.ofNullable(entries.get(measured.key()))
                .map(entry -> entry.path("secondaryMetrics").path(metric))
                .filter(found -> !found.isMissingNode())
                .map(Results::score);
    }

    /** The virtual machine that ran the benchmarks. */
    String machine() {
        return any.path("vmName").asText() + " " + any.path("vmVersion").asText();
    }

    /** The version of JMH. */
    String jmh() {
        return any.path("jmhVersion").asText();
    }

    /** The maximum number of forks of a benchmark: fewer than two means a quick run. */
    int forks() {
        int forks = 0;
        for (JsonNode entry : entries.values()) {
            forks = Math.max(forks, entry.path("forks").asInt());
        }
        return forks;
    }

    private static Score score(JsonNode metric) {
        JsonNode error = metric.path("scoreError");
        return new Score(metric.path("score").asDouble(), error.isNumber() ? error.asDouble() : Double.NaN);
    }

    private static String key(JsonNode entry) {
        StringBuilder key = new StringBuilder(entry.path("benchmark").asText());
        key.delete(0, key.lastIndexOf(".", key.lastIndexOf(".") - 1) + 1);
        for (JsonNode value : entry.path("params")) {
            key.append(' ').append(value.asText());
        }
        return key.toString();
    }
}
