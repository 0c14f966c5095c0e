package dev.parley.benchmarks;

import dev.parley.avro.Profile;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.Limits;
import dev.parley.codec.WireCodec;
import dev.parley.load.sample.SampleConversation;
import org.apache.avro.specific.SpecificRecord;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Decodes one message of each shape, from 100 bytes to 1 MB. Raises the limits on fields and operations to accept the
 * largest ones.
 */
public class GrowthBenchmark extends SizeBenchmark {
    private static final int MANY = 1_000_000;

    /** Lenient, with limits that accept any message of one megabyte; the depth is the default. */
    static final DecodeOptions OPTIONS =
            new DecodeOptions(Profile.LENIENT, new Limits(2 * MANY, Limits.DEFAULT.depth(), MANY, MANY));

    @Param
    Shape shape;

    @Param({"100", "1000", "10000", "100000", "1000000"})
    int size;

    private byte[] wire;
    private WireCodec<SpecificRecord> codec;

    /** Creates the message. */
    @Setup
    public void setUp() {
        wire = shape.message(size);
        codec = SampleConversation.codec(shape.protocol());
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
