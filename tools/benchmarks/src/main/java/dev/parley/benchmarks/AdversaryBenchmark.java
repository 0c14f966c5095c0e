package dev.parley.benchmarks;

import dev.parley.codec.WireCodec;
import dev.parley.load.sample.SampleConversation;
import org.apache.avro.specific.SpecificRecord;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Decodes adversarial inputs of two sizes, one ten times the other. */
public class AdversaryBenchmark extends SizeBenchmark {
    @Param
    Adversary adversary;

    @Param({"100000", "1000000"})
    int size;

    private byte[] wire;
    private WireCodec<SpecificRecord> codec;

    /** Creates the input. */
    @Setup
    public void setUp() {
        wire = adversary.input(size);
        codec = SampleConversation.codec(adversary.protocol());
    }

    /** Bytes to record or decode error. */
    @Benchmark
    public Object decode() {
        return codec.decode(wire, GrowthBenchmark.OPTIONS);
    }
}
