package dev.parley.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.parley.avro.Protocol;
import dev.parley.benchmarks.json.JsonForms;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** Jackson reading the content of a story, written as compact JSON: into plain objects, and into trees. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 2,
        jvmArgsAppend = {"-Xms512m", "-Xmx512m"})
@Warmup(iterations = 3, time = 800, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 800, timeUnit = TimeUnit.MILLISECONDS)
public class JacksonBenchmark {
    @Param({"SLIP", "SUBIT", "CSP", "LAMBDA"})
    Protocol protocol;

    private byte[][] documents;
    private final ObjectMapper mapper = new ObjectMapper();
    private ObjectReader reader;

    /** Writes the story as JSON. */
    @Setup
    public void setUp() {
        documents = Story.of(protocol).messages().stream()
                .map(decoded -> JsonForms.sameContent(decoded.message()))
                .toArray(byte[][]::new);
        reader = mapper.readerFor(JsonForms.type(protocol));
    }

    /** Databind: bytes to a plain object. */
    @Benchmark
    public void bind(Blackhole hole) throws IOException {
        for (byte[] document : documents) {
            hole.consume((Object) reader.readValue(document));
        }
    }

    /** Bytes to a tree. */
    @Benchmark
    public void readTree(Blackhole hole) throws IOException {
        for (byte[] document : documents) {
            hole.consume(mapper.readTree(document));
        }
    }
}
