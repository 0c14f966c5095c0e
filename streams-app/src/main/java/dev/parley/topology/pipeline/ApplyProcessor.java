package dev.parley.topology.pipeline;

import dev.parley.checkpoint.Checkpoints;
import dev.parley.stage.ApplyStage;
import dev.parley.stage.JudgeStage;
import dev.parley.stage.JudgedRecord;
import dev.parley.topology.kafka.SliceScheduler;
import dev.parley.topology.topics.KafkaHeaders;
import java.time.Duration;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Applies patches to the checkpoint stores. It parks a patch whose base is unknown, and releases it when its base is
 * applied or the parking time is over, before the next record. Of a long cascade it releases the first slice at once
 * and the rest by punctuation, so that the thread commits in between.
 */
final class ApplyProcessor extends ContextualProcessor<String, JudgedRecord, String, JudgedRecord> {
    private static final long MIN_INTERVAL_MS = 1_000L;
    private static final Duration EXPIRY_INTERVAL = Duration.ofSeconds(1);

    private final PipelineSettings settings;
    private ApplyStage applyStage;
    private SliceScheduler releases;

    ApplyProcessor(PipelineSettings settings) {
        this.settings = settings;
    }

    @Override
    public void init(ProcessorContext<String, JudgedRecord> context) {
        super.init(context);
        Checkpoints checkpoints = PipelineStores.checkpoints(context, settings);
        JudgeStage judgeStage = new JudgeStage(
                settings.decoder(),
                settings.protocols().judge(settings.dialogue()),
                new KafkaConversationStore(context, settings),
                checkpoints.reader());
        applyStage = new ApplyStage(judgeStage, checkpoints, settings.dialogue().mode());
        Duration interval = Duration.ofMillis(
                Math.max(MIN_INTERVAL_MS, settings.checkpoints().parkingMillis() / 60));
        releases = new SliceScheduler(context, SliceScheduler.INTERVAL, time -> resume(context.currentStreamTimeMs()));
        // An earlier task may have left cascades.
        releases.start();
        context.schedule(interval, PunctuationType.STREAM_TIME, this::expire);
        context.schedule(
                EXPIRY_INTERVAL, PunctuationType.WALL_CLOCK_TIME, time -> expire(context.currentStreamTimeMs()));
    }

    private void expire(long streamTime) {
        if (resume(streamTime)) {
            releases.start();
        }
    }

    private boolean resume(long streamTime) {
        return applyStage.resume(streamTime, judged -> forward(judged, streamTime));
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
        if (applyStage.isSuspended()) {
            releases.start();
        }
    }

    /** Forwards a released patch, whose headers were parked with it. */
    private void forward(JudgedRecord judged, long timestamp) {
        Headers headers = KafkaHeaders.fromAvro(judged.inbound().getHeaders());
        context().forward(new Record<>(judged.chain(), judged, timestamp, headers));
    }
}
