package dev.parley.benchmarks;

import dev.parley.codec.WireCodec;
import org.apache.avro.specific.SpecificRecord;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Decoding inputs made to hurt, at two sizes ten times apart. */
public class AdversaryBenchmark extends SizeBenchmark {
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
