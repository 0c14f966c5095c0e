package dev.parley.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.avro.Protocol;
import dev.parley.benchmarks.json.JsonForms;
import java.io.IOException;
import java.util.Arrays;
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

/** Jackson's tree parse of JSON of the same size in bytes: for each message of a story a document of exactly as many bytes. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 2,
        jvmArgsAppend = {"-Xms512m", "-Xmx512m"})
@Warmup(iterations = 3, time = 800, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 800, timeUnit = TimeUnit.MILLISECONDS)
public class SameSizeBenchmark {
    @Param({"CSP", "LAMBDA"})
    Protocol protocol;

    private byte[][] documents;
    private final ObjectMapper mapper = new ObjectMapper();

    /** Makes the documents. */
    @Setup
    public void setUp() {
        documents = Arrays.stream(Story.of(protocol).wires())
                .map(JsonForms::sameSize)
                .toArray(byte[][]::new);
    }

    /** Bytes to a tree. */
    @Benchmark
    public void readTree(Blackhole hole) throws IOException {
        for (byte[] document : documents) {
            hole.consume(mapper.readTree(document));
        }
    }
}
