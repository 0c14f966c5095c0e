package dev.parley.stage;

import dev.parley.audit.RecordLog;
import dev.parley.avro.AuditRecord;
import dev.parley.avro.Inbound;
import dev.parley.avro.InboundHeader;
import dev.parley.avro.LogPosition;
import dev.parley.avro.Source;
import dev.parley.avro.Verdict;
import dev.parley.checkpoint.CheckpointReader;
import dev.parley.checkpoint.Checkpoints;
import dev.parley.checkpoint.MemoryStore;
import dev.parley.codec.Limits;
import dev.parley.codec.Symbols;
import dev.parley.decode.CloudEvent;
import dev.parley.decode.MessageDecoder;
import dev.parley.decode.ProducerTime;
import dev.parley.decode.RecordBounds;
import dev.parley.decode.WireRecord;
import dev.parley.dialogue.ConversationState;
import dev.parley.encoding.ByteBuffers;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Runs all stages of the pipeline in memory, one record after the other. Not thread-safe. */
public final class OfflinePipeline {
    private final MessageDecoder decoder;
    private final Limits limits;
    private final ApplyStage stage;
    private final RecordStage recordStage;
    private final DialogueReplay replay;
    private final Checkpoints checkpoints;

    /** A log without its hashes, which nothing reads offline. */
    private static final class Positions implements RecordLog {
        private long size;

        @Override
        public LogPosition next() {
            return new LogPosition(0, size);
        }

        @Override
        public void append(ByteBuffer hash) {
            size++;
        }
    }

    public OfflinePipeline(StageSettings settings) {
        this(settings, new SecureRandom());
    }

    /**
     * Creates a pipeline whose records can be repeated.
     *
     * @param salts source of the salts of audit records
     */
    public OfflinePipeline(StageSettings settings, RandomGenerator salts) {
        ConversationStore conversationStore = ConversationStore.inMemory();
        checkpoints =
                new Checkpoints(new MemoryStore<>(), new MemoryStore<>(), new MemoryStore<>(), settings.checkpoints());
        decoder = settings.decoder();
        limits = settings.decode().limits();
        stage = new ApplyStage(settings, conversationStore, checkpoints);
        recordStage = new RecordStage(conversationStore, settings.decode(), new Positions(), salts);
        replay = new DialogueReplay(settings.judge(), conversationStore);
    }

    /** Processes one record, without its audit records. */
    public void accept(WireRecord record, List<InboundHeader> headers, Consumer<JudgedRecord> out) {
        accept(record, headers, out, auditRecord -> {});
    }

    /**
     * Processes one record.
     *
     * @param headers its headers, which the stages read; those of the record only have to be within the limits
     * @param out consumer of its verdict, then of the final verdicts of patches that waited for it
     * @param audit consumer of the audit record of each final verdict, called before {@code out}
     */
    public void accept(
            WireRecord record, List<InboundHeader> headers, Consumer<JudgedRecord> out, Consumer<AuditRecord> audit) {
        Consumer<JudgedRecord> recorder = next -> {
            if (!next.isParked()) {
                audit.accept(recordStage.record(next).audit().auditRecord());
            }
            out.accept(next);
        };
        stage.accept(inbound(record, headers), recorder);
        long now = record.source().getTimestamp().toEpochMilli();
        boolean more;
        do {
            more = stage.resume(now, recorder);
        } while (more);
    }

    /**
     * Adds a recorded message without a new verdict: its dialogue state, and its checkpoint if its patch was accepted.
     */
    public void replay(AuditRecord record) {
        replay.add(record);
        if (record.getMessage() != null
                && Checkpoints.isPatch(record.getMessage())
                && Symbols.VERDICT.of(record.getVerdict()) == Verdict.ACCEPTED) {
            checkpoints.apply(
                    record.getMessage(),
                    record.getSource().getTimestamp().toEpochMilli(),
                    () -> new Inbound(
                            record.getSource(), null, record.getMessage().getRaw(), List.of(), null, null));
        }
    }

    /** Returns the state of a conversation. */
    public ConversationState state(String chain) {
        return replay.state(chain);
    }

    private Inbound inbound(WireRecord record, List<InboundHeader> headers) {
        CloudEvent event = CloudEvent.of(record.value(), record.headers(), limits);
        if (event != null && event.error() == null) {
            return unwrapped(record, event, headers);
        }
        return whole(record, headers);
    }

    /** The message of an event, as if it had been sent without the event. */
    private Inbound unwrapped(WireRecord record, CloudEvent event, List<InboundHeader> headers) {
        Source source = Source.newBuilder(record.source())
                .setProducerTime(ProducerTime.of(event.over(record.headers())))
                .build();
        List<InboundHeader> kept = new ArrayList<>();
        for (InboundHeader header : headers) {
            if (!event.replaces(header.getKey())) {
                kept.add(header);
            }
        }
        event.headers().forEach((name, value) -> kept.add(new InboundHeader(name, ByteBuffer.wrap(value))));
        return whole(new WireRecord(source, record.key(), event.value(), event.over(record.headers())), kept);
    }

    private Inbound whole(WireRecord record, List<InboundHeader> headers) {
        Inbound whole = new Inbound(
                record.source(), ByteBuffers.wrap(record.key()), ByteBuffers.wrap(record.value()), headers, null, null);
        return RecordBounds.isExceeded(record, limits)
                ? decoder.decode(record)
                        .map(message -> whole, error -> OversizedRecords.undecodable(record, headers, limits, error))
                : whole;
    }

    public CheckpointReader checkpoints() {
        return checkpoints.reader();
    }
}
