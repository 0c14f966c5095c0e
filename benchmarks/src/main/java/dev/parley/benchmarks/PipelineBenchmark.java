package dev.parley.benchmarks;

import dev.parley.avro.Protocol;
import dev.parley.codec.DecodeOptions;
import dev.parley.decode.MessageDecoder;
import dev.parley.decode.WireProtocols;
import dev.parley.decode.WireRecord;
import dev.parley.stage.OfflinePipeline;
import dev.parley.stage.StageSettings;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * The pipeline stages around the codec. Each conversation starts from its beginning, so state does not grow between
 * operations.
 */
public class PipelineBenchmark extends ConversationBenchmark {
    @Param({"SLIP", "SUBIT", "CSP", "LAMBDA"})
    Protocol protocol;

    private SampleConversation conversation;
    private DecodedDialogue dialogue;
    private List<WireRecord> records;
    private final MessageDecoder decoder = new MessageDecoder(DecodeOptions.LENIENT, Map.of());

    /** Reads the conversation. */
    @Setup
    public void setUp() {
        conversation = SampleConversation.of(protocol);
        records = conversation.records();
        dialogue = new DecodedDialogue(conversation.messages());
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

    /** Judges each decoded message, and applies its patch. */
    @Benchmark
    public void judgeAndApply(Blackhole hole) {
        dialogue.play(hole::consume);
    }

    /** All stages in memory: decode, judge, apply, and record with hashes. */
    @Benchmark
    public void allStages(Blackhole hole) {
        OfflinePipeline pipeline = new OfflinePipeline(StageSettings.DEFAULT);
        for (int i = 0; i < records.size(); i++) {
            pipeline.accept(records.get(i), conversation.headers().get(i), hole::consume);
        }
    }
}
