package dev.parley.server.http;

import dev.parley.server.http.ProblemException.Code;
import dev.parley.server.metrics.Metrics;
import io.micrometer.core.instrument.Counter;
import java.util.List;
import java.util.Map;

/** Counts responses with a problem. Thread-safe. */
public final class ProblemMeter {

    private final Map<Code, Counter> problems;

    public ProblemMeter(Metrics metrics) {
        problems = metrics.counters(
                "parley.http.problems", "Responses with a problem", "code", List.of(Code.values()), Code::name);
    }

    void count(Code code) {
        problems.get(code).increment();
    }
}
