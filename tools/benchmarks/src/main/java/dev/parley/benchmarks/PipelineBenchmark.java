package dev.parley.benchmarks;

import dev.parley.avro.Inbound;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.Protocol;
import dev.parley.checkpoint.CheckpointSettings;
import dev.parley.checkpoint.Checkpoints;
import dev.parley.checkpoint.MemoryStore;
import dev.parley.codec.DecodeOptions;
import dev.parley.decode.MessageDecoder;
import dev.parley.decode.WireProtocols;
import dev.parley.decode.WireRecord;
import dev.parley.diagnosis.ValueDiagnosis;
import dev.parley.load.sample.SampleRecord;
import dev.parley.stage.ApplyStage;
import dev.parley.stage.ConversationStore;
import dev.parley.stage.OfflinePipeline;
import dev.parley.stage.StageSettings;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/** The stages of the pipeline in memory. Each conversation starts from its beginning, so state does not grow. */
public class PipelineBenchmark extends ConversationBenchmark {
    @Param({"SLIP", "SUBIT", "CSP", "LAMBDA", "MCP"})
    Protocol protocol;

    private final MessageDecoder decoder = ValueDiagnosis.decoder(DecodeOptions.LENIENT, Map.of());
    private List<SampleRecord> conversation;
    private List<WireRecord> records;

    /** Reads the conversation. */
    @Setup
    public void setUp() {
        conversation = SampleRecord.conversation(protocol);
        records = conversation.stream().map(SampleRecord::wire).toList();
    }

    /** Detects the protocol. */
    @Benchmark
    public void detect(Blackhole hole) {
        for (WireRecord record : records) {
            hole.consume(ValueDiagnosis.detect(record.value(), WireProtocols.STANDARD));
        }
    }

    /** Decodes a record into a message in its envelope: headers, detection, codec, SHA-256. */
    @Benchmark
    public void decodeRecord(Blackhole hole) {
        for (WireRecord record : records) {
            hole.consume(decoder.decode(record));
        }
    }

    /** Decodes and judges each record, and applies its patch. */
    @Benchmark
    public void judgeAndApply(Blackhole hole) {
        ConversationStore states = ConversationStore.inMemory();
        Checkpoints checkpoints = new Checkpoints(
                new MemoryStore<>(), new MemoryStore<>(), new MemoryStore<>(), CheckpointSettings.DEFAULT);
        ApplyStage stage = new ApplyStage(StageSettings.DEFAULT, states, checkpoints);
        for (SampleRecord sample : conversation) {
            WireRecord record = sample.wire();
            List<InboundHeader> headers = sample.headers();
            Inbound inbound =
                    new Inbound(record.source(), wrap(record.key()), wrap(record.value()), headers, null, null);
            stage.accept(inbound, record.headers(), () -> headers, judged -> {
                if (judged.judgement().next() != null) {
                    states.put(judged.chain(), judged.judgement().next());
                }
                hole.consume(judged);
            });
        }
    }

    private static ByteBuffer wrap(byte[] bytes) {
        return bytes == null ? null : ByteBuffer.wrap(bytes);
    }

    /** All stages: decode, judge, apply, and record with hashes. */
    @Benchmark
    public void allStages(Blackhole hole) {
        OfflinePipeline pipeline = new OfflinePipeline(StageSettings.DEFAULT);
        for (SampleRecord sample : conversation) {
            pipeline.accept(sample.wire(), sample.headers(), hole::consume);
        }
    }
}
