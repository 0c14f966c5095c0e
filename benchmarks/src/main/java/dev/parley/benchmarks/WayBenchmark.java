package dev.parley.benchmarks;

import dev.parley.avro.Protocol;
import dev.parley.checkpoint.CheckpointSettings;
import dev.parley.codec.DecodeOptions;
import dev.parley.decode.MessageDecoder;
import dev.parley.decode.WireProtocols;
import dev.parley.decode.WireRecord;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.pipeline.OfflinePipeline;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/** The pieces of the way of a record around the codec. Each story starts from its beginning, so nothing grows from one operation to the next. */
public class WayBenchmark extends StoryBenchmark {
    @Param({"SLIP", "SUBIT", "CSP", "LAMBDA"})
    Protocol protocol;

    private Story story;
    private Dialogue dialogue;
    private List<WireRecord> records;
    private final MessageDecoder decoder = new MessageDecoder(DecodeOptions.LENIENT, Map.of());

    /** Reads the story. */
    @Setup
    public void setUp() {
        story = Story.of(protocol);
        records = story.records();
        dialogue = new Dialogue(story.messages());
    }

    /** Which protocol it is. */
    @Benchmark
    public void detect(Blackhole hole) {
        for (WireRecord record : records) {
            hole.consume(WireProtocols.STANDARD.detect(record.value()));
        }
    }

    /** A record's bytes to a message in its envelope: headers, detection, codec, SHA-256. */
    @Benchmark
    public void decodeRecord(Blackhole hole) {
        for (WireRecord record : records) {
            hole.consume(decoder.decode(record));
        }
    }

    /** The verdict on each decoded message, and its patch applied. */
    @Benchmark
    public void judgeAndApply(Blackhole hole) {
        dialogue.play(hole::consume);
    }

    /** All of it, in memory: decode, judge, apply, and record with its hashes. */
    @Benchmark
    public void wholeWay(Blackhole hole) {
        OfflinePipeline pipeline = new OfflinePipeline(
                DecodeOptions.LENIENT, DialogueSettings.DEFAULT, CheckpointSettings.DEFAULT, Map.of());
        for (int i = 0; i < records.size(); i++) {
            pipeline.accept(records.get(i), story.headers().get(i), hole::consume);
        }
    }
}
