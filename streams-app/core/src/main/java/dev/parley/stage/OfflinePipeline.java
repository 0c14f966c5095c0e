package dev.parley.stage;

import dev.parley.avro.AuditRecord;
import dev.parley.avro.Inbound;
import dev.parley.avro.InboundHeader;
import dev.parley.checkpoint.CheckpointReader;
import dev.parley.checkpoint.CheckpointSettings;
import dev.parley.checkpoint.Checkpoints;
import dev.parley.checkpoint.MemoryStore;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.Limits;
import dev.parley.decode.MessageDecoder;
import dev.parley.decode.RecordBounds;
import dev.parley.decode.WireProtocol;
import dev.parley.decode.WireRecord;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.protocol.Protocols;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Runs all stages of the pipeline in memory, one record after the other. Not thread-safe. */
public final class OfflinePipeline {
    private final MessageDecoder decoder;
    private final Limits limits;
    private final JudgeStage judgeStage;
    private final ApplyStage applyStage;
    private final RecordStage recordStage;
    private final Checkpoints checkpoints;

    public OfflinePipeline(
            DecodeOptions options,
            DialogueSettings dialogue,
            CheckpointSettings settings,
            Map<String, WireProtocol<?>> topicProtocols) {
        this(Protocols.STANDARD, options, dialogue, settings, topicProtocols);
    }

    public OfflinePipeline(
            Protocols protocols,
            DecodeOptions options,
            DialogueSettings dialogue,
            CheckpointSettings settings,
            Map<String, WireProtocol<?>> topicProtocols) {
        ConversationStore conversationStore = ConversationStore.inMemory();
        checkpoints = new Checkpoints(new MemoryStore<>(), new MemoryStore<>(), new MemoryStore<>(), settings);
        decoder = new MessageDecoder(options, protocols.wire(), topicProtocols);
        limits = options.limits();
        judgeStage = new JudgeStage(decoder, protocols.judge(dialogue), conversationStore, checkpoints.reader());
        applyStage = new ApplyStage(judgeStage, checkpoints, dialogue.mode());
        recordStage = new RecordStage(conversationStore, options);
    }

    /** Processes one record, without its audit records. */
    public void accept(WireRecord record, List<InboundHeader> headers, Consumer<JudgedRecord> out) {
        accept(record, headers, out, auditRecord -> {});
    }

    /**
     * Processes one record.
     *
     * @param headers its headers, stored while it is parked
     * @param out consumer of its verdict, then of the final verdicts of patches that waited for it
     * @param audit consumer of the audit record of each final verdict, called before {@code out}
     */
    public void accept(
            WireRecord record, List<InboundHeader> headers, Consumer<JudgedRecord> out, Consumer<AuditRecord> audit) {
        Consumer<JudgedRecord> recorder = next -> {
            if (!next.isParked()) {
                audit.accept(recordStage.record(next).auditRecord());
            }
            out.accept(next);
        };
        applyStage.apply(judgeStage.judge(inbound(record, headers)), () -> headers, recorder);
        long now = record.source().getTimestamp().toEpochMilli();
        boolean more;
        do {
            more = applyStage.resume(now, recorder);
        } while (more);
    }

    private Inbound inbound(WireRecord record, List<InboundHeader> headers) {
        Inbound whole = new Inbound(
                record.source(), ByteBuffers.wrap(record.key()), ByteBuffers.wrap(record.value()), headers, null, null);
        return RecordBounds.isExceeded(record, limits)
                ? decoder.route(record)
                        .map(message -> whole, error -> OversizedRecords.undecodable(record, headers, limits, error))
                : whole;
    }

    public CheckpointReader checkpoints() {
        return checkpoints.reader();
    }
}
