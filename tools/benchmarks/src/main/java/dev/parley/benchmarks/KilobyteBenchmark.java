package dev.parley.benchmarks;

import dev.parley.codec.DecodeOptions;
import dev.parley.codec.mcp.McpCodec;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.infra.Blackhole;

/** Decodes messages of MCP of one kilobyte. */
public class KilobyteBenchmark extends ConversationBenchmark {
    private final byte[][] wires = Codecs.kilobytes();
    private final McpCodec codec = new McpCodec();

    /** Bytes to record. */
    @Benchmark
    public void decode(Blackhole hole) {
        for (byte[] wire : wires) {
            hole.consume(codec.decode(wire, DecodeOptions.LENIENT));
        }
    }
}
