package dev.parley.benchmarks;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/** The ratios of one run, as a table. A row is omitted if one of its benchmarks was not run. */
final class Ratios {
    private static final List<String> PROTOCOLS = List.of("SLIP", "SUBIT", "CSP", "LAMBDA", "MCP");

    private final Map<String, RunResult> results = new HashMap<>();
    private final StringBuilder table = new StringBuilder("| | ratio | target | |\n|---|---|---|---|\n");

    Ratios(Collection<RunResult> all) {
        for (RunResult result : all) {
            BenchmarkParams benchmark = result.getParams();
            StringBuilder key = new StringBuilder(benchmark.getBenchmark().replaceFirst("dev.parley.benchmarks.", ""));
            benchmark.getParamsKeys().forEach(param -> key.append(' ').append(benchmark.getParam(param)));
            results.put(key.toString(), result);
        }
    }

    String markdown() {
        String decode = "CodecBenchmark.decode ";
        row("nSLIP: databind of the same content … times decode", "JacksonBenchmark.bindSlip", decode + "SLIP", 8.0);
        row("CSP: tree of the same size … times decode", "JacksonBenchmark.readTreeLikeCsp", decode + "CSP", 1.5);
        row("Λ: tree of the same size … times decode", "JacksonBenchmark.readTreeLikeLambda", decode + "LAMBDA", 1.5);
        row("SUBIT: decode … times Jackson's streaming pass", decode + "SUBIT", "JacksonBenchmark.streamSubit", -1.3);
        row("MCP: decode … times Jackson's streaming pass", decode + "MCP", "JacksonBenchmark.streamMcp", -1.5);
        String kilobytes = "JacksonBenchmark.decodeKilobytes";
        row("MCP of 1 kB: decode … times Jackson's pass", kilobytes, "JacksonBenchmark.streamKilobytes", -1.5);
        for (String protocol : PROTOCOLS) {
            String of = decode + protocol;
            String message = "PipelineBenchmark.decodeRecord " + protocol;
            row(protocol + ": encode … times decode", "CodecBenchmark.encode " + protocol, of, -1.0);
            row(protocol + ": Avro … times decode", "CodecBenchmark.writeAvro " + protocol, of, null);
            row(protocol + ": detection … times decode", "PipelineBenchmark.detect " + protocol, of, null);
            row(protocol + ": record to message … times decode", message, of, null);
            row(
                    protocol + ": with judging and applying … times record to message",
                    "PipelineBenchmark.judgeAndApply " + protocol,
                    message,
                    null);
            row(
                    protocol + ": all stages … times record to message",
                    "PipelineBenchmark.allStages " + protocol,
                    message,
                    null);
            row(
                    protocol + ": decode allocates … times its record",
                    of,
                    "CodecBenchmark.buildRecord " + protocol,
                    result -> result.getSecondaryResults().get("gc.alloc.rate.norm"),
                    1,
                    -1.5);
        }
        for (GrowingInput input : GrowingInput.values()) {
            String of = "SizeBenchmark.decode " + input;
            row(
                    input + ": time per byte of 1 MB … times 100 kB",
                    of + " 1000000",
                    of + " 100000",
                    RunResult::getPrimaryResult,
                    10,
                    -1.3);
        }
        return table.toString();
    }

    private void row(String what, String over, String under, Double target) {
        row(what, over, under, RunResult::getPrimaryResult, 1, target);
    }

    /**
     * Adds a row.
     *
     * @param times size of what is above the line in relation to what is below it
     * @param target lower bound; the negative of an upper bound; null for none
     */
    private void row(
            String what, String over, String under, Function<RunResult, Result<?>> measure, int times, Double target) {
        if (results.containsKey(over) && results.containsKey(under)) {
            double ratio = measure.apply(results.get(over)).getScore()
                    / measure.apply(results.get(under)).getScore()
                    / times;
            String bound = target == null
                    ? " | "
                    : (target > 0 ? "≥ " : "≤ ") + Math.abs(target) + " | "
                            + ((target > 0 ? ratio >= target : ratio <= -target) ? "ok" : "**missed**");
            table.append(String.format(Locale.ROOT, "| %s | %.2f | %s |%n", what, ratio, bound));
        }
    }
}
