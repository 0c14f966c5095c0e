package dev.parley.benchmarks;

import dev.parley.avro.Protocol;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.WireCodec;
import dev.parley.load.sample.SampleConversation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;
import org.apache.avro.specific.SpecificRecordBase;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Decodes and encodes a conversation, compared with the minimal cost of its records: building them from ready values,
 * and Avro's binary encoding.
 */
public class CodecBenchmark extends ConversationBenchmark {
    @Param({"SLIP", "SUBIT", "CSP", "LAMBDA"})
    Protocol protocol;

    private byte[][] wires;
    private SpecificRecord[] contents;
    private Blueprint[] blueprints;
    private WireCodec<SpecificRecord> codec;
    private SpecificDatumWriter<SpecificRecord> writer;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 16);
    private BinaryEncoder encoder;

    /** Reads the conversation. */
    @Setup
    public void setUp() {
        SampleConversation conversation = SampleConversation.of(protocol);
        wires = conversation.wires();
        contents = conversation.contents();
        blueprints = Arrays.stream(contents).map(Blueprint::of).toArray(Blueprint[]::new);
        codec = SampleConversation.codec(protocol);
        writer = new SpecificDatumWriter<>(
                contents[0].getSchema(), ((SpecificRecordBase) contents[0]).getSpecificData());
        encoder = EncoderFactory.get().binaryEncoder(out, null);
    }

    /** Bytes to record. */
    @Benchmark
    public void decode(Blackhole hole) {
        for (byte[] wire : wires) {
            hole.consume(codec.decode(wire, DecodeOptions.LENIENT));
        }
    }

    /** Record to bytes. */
    @Benchmark
    public void encode(Blackhole hole) {
        for (SpecificRecord content : contents) {
            hole.consume(codec.encode(content));
        }
    }

    /** Record to Avro, reusing writer, encoder and buffer. */
    @Benchmark
    public void writeAvro(Blackhole hole) throws IOException {
        for (SpecificRecord content : contents) {
            out.reset();
            writer.write(content, encoder);
            encoder.flush();
            hole.consume(out.size());
        }
    }

    /** Ready values to record. */
    @Benchmark
    public void buildRecord(Blackhole hole) {
        for (Blueprint blueprint : blueprints) {
            hole.consume(blueprint.build());
        }
    }
}
