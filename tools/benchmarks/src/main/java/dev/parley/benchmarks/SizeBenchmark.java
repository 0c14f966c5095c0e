package dev.parley.benchmarks;

import dev.parley.avro.Profile;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.Limits;
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

/**
 * Decodes inputs of several sizes, to show that the cost grows in proportion. The young generation holds many records
 * of the largest messages. Otherwise the collector would repeatedly copy the incomplete record of a large message but
 * never of a small one.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-XX:+UseParallelGC", "-Xms4g", "-Xmx4g", "-Xmn3g"})
@Warmup(iterations = 3, time = 600, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 20, time = 150, timeUnit = TimeUnit.MILLISECONDS)
public class SizeBenchmark {
    private static final int MANY = 1_000_000;

    /** Lenient, with limits that accept any message of one megabyte; the depth is the default. */
    static final DecodeOptions OPTIONS =
            new DecodeOptions(Profile.LENIENT, new Limits(2 * MANY, Limits.DEFAULT.depth(), MANY, MANY));

    @Param
    GrowingInput input;

    @Param({"100000", "1000000"})
    int size;

    private byte[] wire;
    private WireCodec<SpecificRecord> codec;

    /** Creates the input. */
    @Setup
    public void setUp() {
        wire = input.of(size);
        codec = Codecs.of(input.protocol());
    }

    /** Bytes to record or decode error. */
    @Benchmark
    public Object decode() {
        return codec.decode(wire, OPTIONS);
    }
}
