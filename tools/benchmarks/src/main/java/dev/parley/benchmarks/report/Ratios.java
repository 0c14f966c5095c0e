package dev.parley.benchmarks.report;

import dev.parley.avro.Protocol;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The compared benchmarks and the targets of their ratios. Omits a row if one of its benchmarks was not run. */
final class Ratios {
    static final List<Protocol> PROTOCOLS = List.of(Protocol.SLIP, Protocol.SUBIT, Protocol.CSP, Protocol.LAMBDA);

    private final Results results;

    Ratios(Results results) {
        this.results = results;
    }

    /** Decoding compared with its counterparts: as a speedup or as a cost. */
    List<Row> decoding() {
        List<Row> rows = new ArrayList<>();
        faster(
                rows,
                "nSLIP: databind of the same content in JSON takes … times decode",
                "JacksonBenchmark.bind",
                Protocol.SLIP,
                8);
        add(
                rows,
                "nSLIP: decode takes … times Avro-encoding the same record",
                time("CodecBenchmark.decode", Protocol.SLIP),
                time("CodecBenchmark.writeAvro", Protocol.SLIP),
                Target.atMost(1));
        faster(
                rows,
                "CSP: tree parse of JSON of the same size takes … times decode",
                "SameSizeBenchmark.readTree",
                Protocol.CSP,
                1.5);
        faster(
                rows,
                "Λ: tree parse of JSON of the same size takes … times decode",
                "SameSizeBenchmark.readTree",
                Protocol.LAMBDA,
                1.5);
        add(
                rows,
                "SUBIT: decode takes … times Jackson's streaming pass over the same bytes",
                time("CodecBenchmark.decode", Protocol.SUBIT),
                results.time(Measured.of("StreamBenchmark.read")),
                Target.atMost(1.3));
        add(
                rows,
                "SUBIT: decode takes … times Jackson's bare token pass over the same bytes",
                time("CodecBenchmark.decode", Protocol.SUBIT),
                results.time(Measured.of("StreamBenchmark.tokens")),
                null);
        return rows;
    }

    /** Encoding compared with decoding. */
    List<Row> encoding() {
        return each("encode takes … times decode", "CodecBenchmark.encode", "CodecBenchmark.decode", Target.atMost(1));
    }

    /** Allocation of decoding compared with the size of the record. */
    List<Row> allocation() {
        List<Row> rows = new ArrayList<>();
        for (Protocol protocol : PROTOCOLS) {
            add(
                    rows,
                    name(protocol) + ": decode allocates … times what building the record does",
                    results.allocation(Measured.of("CodecBenchmark.decode", protocol)),
                    results.allocation(Measured.of("CodecBenchmark.buildRecord", protocol)),
                    Target.atMost(1.5));
        }
        return rows;
    }

    /** Judging and applying compared with decoding. */
    List<Row> judging() {
        return each(
                "judge and apply take … times decode",
                "PipelineBenchmark.judgeAndApply",
                "CodecBenchmark.decode",
                Target.atMost(1));
    }

    /** Ratios without a target, for information. */
    List<Row> others() {
        List<Row> rows = new ArrayList<>();
        rows.addAll(each(
                "building the record takes … times decode",
                "CodecBenchmark.buildRecord",
                "CodecBenchmark.decode",
                null));
        rows.addAll(each(
                "Avro-encoding the record takes … times decode",
                "CodecBenchmark.writeAvro",
                "CodecBenchmark.decode",
                null));
        rows.addAll(each(
                "databind of the same content in JSON takes … times decode",
                "JacksonBenchmark.bind",
                "CodecBenchmark.decode",
                null));
        rows.addAll(each(
                "tree parse of the same content in JSON takes … times decode",
                "JacksonBenchmark.readTree",
                "CodecBenchmark.decode",
                null));
        rows.addAll(each(
                "telling the protocol takes … times decode",
                "PipelineBenchmark.detect",
                "CodecBenchmark.decode",
                null));
        rows.addAll(each(
                "from record to message in its envelope takes … times decode",
                "PipelineBenchmark.decodeRecord",
                "CodecBenchmark.decode",
                null));
        rows.addAll(each(
                "judge and apply take … times record to message",
                "PipelineBenchmark.judgeAndApply",
                "PipelineBenchmark.decodeRecord",
                null));
        rows.addAll(each(
                "the whole way in memory takes … times decode",
                "PipelineBenchmark.allStages",
                "CodecBenchmark.decode",
                null));
        return rows;
    }

    static String name(Protocol protocol) {
        return switch (protocol) {
            case SLIP -> "nSLIP";
            case LAMBDA -> "Λ";
            case SUBIT, CSP, EXTENSION, UNKNOWN -> protocol.name();
        };
    }

    private void faster(List<Row> rows, String what, String counterpart, Protocol protocol, double times) {
        add(rows, what, time(counterpart, protocol), time("CodecBenchmark.decode", protocol), Target.atLeast(times));
    }

    private List<Row> each(String what, String over, String under, Target target) {
        List<Row> rows = new ArrayList<>();
        for (Protocol protocol : PROTOCOLS) {
            add(rows, name(protocol) + ": " + what, time(over, protocol), time(under, protocol), target);
        }
        return rows;
    }

    private Optional<Score> time(String benchmark, Protocol protocol) {
        return results.time(Measured.of(benchmark, protocol));
    }

    private static void add(List<Row> rows, String what, Optional<Score> over, Optional<Score> under, Target target) {
        if (over.isPresent() && under.isPresent()) {
            rows.add(new Row(what, Ratio.of(over.get(), under.get()), target));
        }
    }
}
