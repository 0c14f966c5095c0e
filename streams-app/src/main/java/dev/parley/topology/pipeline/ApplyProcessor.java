package dev.parley.topology.pipeline;

import dev.parley.avro.DialogueState;
import dev.parley.checkpoint.Checkpoints;
import dev.parley.stage.ApplyStage;
import dev.parley.stage.JudgeStage;
import dev.parley.stage.JudgedRecord;
import dev.parley.topology.setup.KafkaHeaders;
import java.time.Duration;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Applies patches to the checkpoint stores. A patch whose base is unknown is parked. It is released, before the record
 * that follows, when its base has come or its time is up; of a long cascade only the first slice is, and the rest by
 * the clock, so that the thread commits in between.
 */
final class ApplyProcessor extends ContextualProcessor<String, JudgedRecord, String, JudgedRecord> {
    private static final long LEAST_INTERVAL_MS = 1_000L;
    private static final Duration TICK = Duration.ofMillis(100);

    private final PipelineSettings settings;
    private ApplyStage applyStage;

    ApplyProcessor(PipelineSettings settings) {
        this.settings = settings;
    }

    @Override
    public void init(ProcessorContext<String, JudgedRecord> context) {
        super.init(context);
        KeyValueStore<String, DialogueState> conversations = context.getStateStore(PipelineStores.CONVERSATIONS);
        Checkpoints checkpoints = PipelineStores.checkpoints(context, settings);
        JudgeStage judgeStage = new JudgeStage(
                settings.decoder(),
                settings.protocols().judge(settings.dialogue()),
                new KafkaConversationStore(conversations, settings.protocols().storedStates()),
                checkpoints.reader());
        applyStage = new ApplyStage(judgeStage, checkpoints, settings.dialogue().mode());
        Duration interval = Duration.ofMillis(
                Math.max(LEAST_INTERVAL_MS, settings.checkpoints().parkingMillis() / 60));
        context.schedule(interval, PunctuationType.STREAM_TIME, this::resume);
        context.schedule(TICK, PunctuationType.WALL_CLOCK_TIME, time -> resume(context.currentStreamTimeMs()));
    }

    private void resume(long streamTime) {
        applyStage.resume(streamTime, judged -> forward(judged, streamTime));
    }

    @Override
    public void process(Record<String, JudgedRecord> record) {
        applyStage.apply(record.value(), () -> KafkaHeaders.toAvro(record.headers()), judged -> {
            if (judged.released()) {
                forward(judged, record.timestamp());
            } else {
                context().forward(record.withValue(judged));
            }
        });
    }

    /** Forwards a released patch, whose headers were parked with it. */
    private void forward(JudgedRecord judged, long timestamp) {
        Headers headers = KafkaHeaders.fromAvro(judged.inbound().getHeaders());
        context().forward(new Record<>(judged.chain(), judged, timestamp, headers));
    }
}
