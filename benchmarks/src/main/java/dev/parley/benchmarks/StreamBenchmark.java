package dev.parley.benchmarks;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.parley.avro.Protocol;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** Jackson's streaming pass over the very bytes of the SUBIT story. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 2,
        jvmArgsAppend = {"-Xms512m", "-Xmx512m"})
@Warmup(iterations = 3, time = 800, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 800, timeUnit = TimeUnit.MILLISECONDS)
public class StreamBenchmark {
    private byte[][] wires;
    private final JsonFactory factory = new JsonFactory();

    /** Reads the story. */
    @Setup
    public void setUp() {
        wires = Story.of(Protocol.SUBIT).wires();
    }

    /** The pass of a reader who wants the content: every token, the name of each key, the text of each string, the value of each number. */
    @Benchmark
    public void read(Blackhole hole) throws IOException {
        for (byte[] wire : wires) {
            try (JsonParser json = factory.createParser(wire)) {
                for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                    switch (token) {
                        case FIELD_NAME -> hole.consume(json.currentName());
                        case VALUE_STRING -> hole.consume(json.getText());
                        case VALUE_NUMBER_INT -> hole.consume(json.getLongValue());
                        case VALUE_NUMBER_FLOAT -> hole.consume(json.getDoubleValue());
                        default -> hole.consume(token);
                    }
                }
            }
        }
    }

    /** The bare pass: every token, nothing else; Jackson leaves the strings unread where it can. */
    @Benchmark
    public void tokens(Blackhole hole) throws IOException {
        for (byte[] wire : wires) {
            try (JsonParser json = factory.createParser(wire)) {
                for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                    hole.consume(token);
                }
            }
        }
    }
}
