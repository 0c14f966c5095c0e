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
import dev.parley.dialogue.DialogueSettings;
import dev.parley.load.sample.SampleConversation;
import dev.parley.protocol.Protocols;
import dev.parley.stage.ApplyStage;
import dev.parley.stage.ConversationStore;
import dev.parley.stage.JudgeStage;
import dev.parley.stage.OfflinePipeline;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/** The stages of the pipeline in memory. Each conversation starts from its beginning, so state does not grow. */
public class PipelineBenchmark extends ConversationBenchmark {
    @Param({"SLIP", "SUBIT", "CSP", "LAMBDA"})
    Protocol protocol;

    private final MessageDecoder decoder = new MessageDecoder(DecodeOptions.LENIENT, Map.of());
    private SampleConversation conversation;
    private List<WireRecord> records;

    /** Reads the conversation. */
    @Setup
    public void setUp() {
        conversation = SampleConversation.of(protocol);
        records = conversation.records();
    }

    /** Detects the protocol. */
    @Benchmark
    public void detect(Blackhole hole) {
        for (WireRecord record : records) {
            hole.consume(WireProtocols.STANDARD.detect(record.value()));
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
        JudgeStage judge = new JudgeStage(
                decoder, Protocols.STANDARD.judge(DialogueSettings.DEFAULT), states, checkpoints.reader());
        ApplyStage apply = new ApplyStage(judge, checkpoints, DialogueSettings.DEFAULT.mode());
        for (int i = 0; i < records.size(); i++) {
            WireRecord record = records.get(i);
            List<InboundHeader> headers = conversation.headers().get(i);
            Inbound inbound =
                    new Inbound(record.source(), wrap(record.key()), wrap(record.value()), headers, null, null);
            apply.apply(judge.judge(inbound), () -> headers, judged -> {
                judged.outcome().next().ifPresent(state -> states.put(judged.chain(), state));
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
        OfflinePipeline pipeline = new OfflinePipeline(
                DecodeOptions.LENIENT, DialogueSettings.DEFAULT, CheckpointSettings.DEFAULT, Map.of());
        for (int i = 0; i < records.size(); i++) {
            pipeline.accept(records.get(i), conversation.headers().get(i), hole::consume);
        }
    }
}
