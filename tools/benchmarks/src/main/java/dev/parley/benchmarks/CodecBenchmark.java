package dev.parley.benchmarks;

import dev.parley.avro.Protocol;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.WireCodec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;
import org.apache.avro.specific.SpecificRecordBase;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/** Decodes and encodes a conversation, compared with Avro's binary encoding and with building the records. */
public class CodecBenchmark extends ConversationBenchmark {
    @Param({"SLIP", "SUBIT", "CSP", "LAMBDA", "MCP"})
    Protocol protocol;

    private byte[][] wires;
    private SpecificRecord[] records;
    private List<Supplier<Object>> plans;
    private WireCodec<SpecificRecord> codec;
    private SpecificDatumWriter<SpecificRecord> writer;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 16);
    private final BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);

    /** Reads the conversation. */
    @Setup
    public void setUp() {
        wires = Codecs.wires(protocol);
        records = Codecs.records(protocol);
        plans = Stream.of(records).map(record -> Codecs.plan(record, false)).toList();
        codec = Codecs.of(protocol);
        writer = new SpecificDatumWriter<>(records[0].getSchema(), ((SpecificRecordBase) records[0]).getSpecificData());
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
        for (SpecificRecord record : records) {
            hole.consume(codec.encode(record));
        }
    }

    /** Record to Avro, reusing writer, encoder and buffer. */
    @Benchmark
    public void writeAvro(Blackhole hole) throws IOException {
        for (SpecificRecord record : records) {
            out.reset();
            writer.write(record, encoder);
            encoder.flush();
            hole.consume(out.size());
        }
    }

    /** Ready values to record; its allocation is the size of the record. */
    @Benchmark
    public void buildRecord(Blackhole hole) {
        for (Supplier<Object> plan : plans) {
            hole.consume(plan.get());
        }
    }
}
