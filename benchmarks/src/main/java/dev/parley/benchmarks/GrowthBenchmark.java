package dev.parley.benchmarks;

import dev.parley.avro.Profile;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
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

/** Decoding one message of each shape, from 100 bytes to 1 MB. The limits on fields and operations are raised, so that the largest are accepted. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g"})
@Warmup(iterations = 4, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
public class GrowthBenchmark {
    private static final int MANY = 1_000_000;

    /** Lenient, with limits that let a message of a megabyte through whatever it is made of; the depth is the default. */
    static final DecodeOptions OPTIONS =
            new DecodeOptions(Profile.LENIENT, new Limits(2 * MANY, Limits.DEFAULT.depth(), MANY, MANY));

    @Param
    Shape shape;

    @Param({"100", "1000", "10000", "100000", "1000000"})
    int size;

    private byte[] wire;
    private WireCodec<SpecificRecord> codec;

    /** Makes the message. */
    @Setup
    public void setUp() {
        wire = shape.message(size);
        codec = Story.codec(shape.protocol());
        if (decode() instanceof DecodeResult.Malformed<?> malformed) {
            throw new IllegalStateException(shape + " is malformed: " + malformed);
        }
    }

    /** Bytes to record. */
    @Benchmark
    public Object decode() {
        return codec.decode(wire, OPTIONS);
    }
}
