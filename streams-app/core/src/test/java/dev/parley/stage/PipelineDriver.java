package dev.parley.stage;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.Source;
import dev.parley.checkpoint.CheckpointKey;
import dev.parley.checkpoint.CheckpointReader;
import dev.parley.checkpoint.CheckpointSettings;
import dev.parley.codec.DecodeOptions;
import dev.parley.decode.WireRecord;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.encoding.ByteBuffers;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Wire texts through a pipeline in memory, one after the other, a second apart. */
final class PipelineDriver {
    static final String CONTEXT = "ctx";

    private final OfflinePipeline pipeline;
    private long offset;
    private long millis;

    PipelineDriver(DialogueSettings.Mode mode, CheckpointSettings checkpoints) {
        this.pipeline = new OfflinePipeline(StageSettings.of(
                        DecodeOptions.LENIENT,
                        new DialogueSettings(
                                mode, DialogueSettings.DEFAULT.idleMillis(), DialogueSettings.DEFAULT.maxEntries()))
                .with(checkpoints));
    }

    static PipelineDriver enforcing() {
        return new PipelineDriver(DialogueSettings.Mode.ENFORCE, CheckpointSettings.DEFAULT);
    }

    /** The time of the next record, in milliseconds. */
    PipelineDriver at(long time) {
        millis = time;
        return this;
    }

    /** What comes of one record of the context. */
    List<JudgedRecord> send(String wire) {
        return send(wire, List.of());
    }

    List<JudgedRecord> send(String wire, List<InboundHeader> headers) {
        List<JudgedRecord> out = new ArrayList<>();
        Source source = new Source("wire", 0, offset++, Instant.ofEpochMilli(millis), null);
        millis += 1_000;
        WireRecord record = new WireRecord(
                source,
                CONTEXT.getBytes(UTF_8),
                wire == null ? null : wire.getBytes(UTF_8),
                visitor ->
                        headers.forEach(header -> visitor.accept(header.getKey(), ByteBuffers.of(header.getValue()))));
        pipeline.accept(record, headers, out::add);
        return out;
    }

    CheckpointReader checkpoints() {
        return pipeline.checkpoints();
    }

    static CheckpointKey checkpoint(String id) {
        return new CheckpointKey("default", CONTEXT, id);
    }

    /** A patch of one or more operations, one a line. */
    static String patch(String id, String base, String target, String... operations) {
        return patchAt(base, id, base, target, operations);
    }

    static String patchAt(String ctx, String id, String base, String target, String... operations) {
        return "CSP/1\nFROM MAIN\nTO MEM\nCTX " + ctx + "\nINTENT PATCH\n\nPATCH " + id + "\nBASE " + base + "\n"
                + String.join("\n", operations) + "\nAPPLY -> " + target;
    }

    static InboundHeader header(String name, String value) {
        return new InboundHeader(name, ByteBuffer.wrap(value.getBytes(UTF_8)));
    }

    /** A copy whose change leaves the original alone. */
    static AuditRecord copy(AuditRecord link) {
        return AuditRecord.newBuilder(link).build();
    }
}
