package dev.parley.benchmarks;

import dev.parley.codec.WireCodec;
import java.util.concurrent.TimeUnit;
import org.apache.avro.specific.SpecificRecord;
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

/** Decoding inputs made to hurt, at two sizes ten times apart. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g"})
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class AdversaryBenchmark {
    @Param
    Adversary adversary;

    @Param({"100000", "1000000"})
    int size;

    private byte[] wire;
    private WireCodec<SpecificRecord> codec;

    /** Makes the input. */
    @Setup
    public void setUp() {
        wire = adversary.input(size);
        codec = Story.codec(adversary.protocol());
    }

    /** Bytes to record or fault. */
    @Benchmark
    public Object decode() {
        return codec.decode(wire, GrowthBenchmark.OPTIONS);
    }
}
