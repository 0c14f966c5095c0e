package dev.parley.topology.pipeline;

import dev.parley.checkpoint.CheckpointSettings;
import dev.parley.checkpoint.ParkingLimits;
import dev.parley.checkpoint.StateCacheBudget;
import dev.parley.protocol.Protocols;
import dev.parley.stage.StageSettings;
import dev.parley.topology.config.AuditKeys;
import dev.parley.topology.config.ParleyConfig;
import dev.parley.topology.config.RetentionKeys;
import dev.parley.topology.kafka.ClampingTimestampExtractor;
import dev.parley.topology.kafka.SourceTopicMetadata;
import dev.parley.topology.topics.InputTopics;
import dev.parley.topology.topics.Topics;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * Settings of the pipeline.
 *
 * @param stages settings on which verdicts depend
 * @param keyedByConversation whether the input is keyed by conversation, which saves the repartition topic
 * @param heads settings for publishing the heads of the audit log
 * @param maxRedactions maximum number of redactions per chain
 * @param inputs the input topics and the messages that they may carry
 * @param restoredLogs checks of the logs that tasks restored
 * @param publishedHeads heads for the statement of the partitions
 */
public record PipelineSettings(
        StageSettings stages,
        boolean keyedByConversation,
        LogHeadSettings heads,
        int maxRedactions,
        InputTopics inputs,
        TimestampExtractor recordTime,
        SourceTopicMetadata sources,
        RestoredLogs restoredLogs,
        PublishedHeads publishedHeads) {

    /** Cached states may take the heap divided by this. */
    private static final int HEAP_DIVISOR = 8;

    /** Returns the settings of a configuration with Parley's protocols. */
    public static PipelineSettings of(ParleyConfig config) {
        return of(config, Protocols.STANDARD);
    }

    public static PipelineSettings of(ParleyConfig config, Protocols protocols) {
        InputTopics inputs = InputTopics.of(config, protocols);
        return new PipelineSettings(
                stages(config, protocols, inputs),
                config.getBoolean(ParleyConfig.KEYED),
                LogHeadSettings.of(config),
                config.getInt(AuditKeys.REDACTIONS_LIMIT),
                inputs,
                new ClampingTimestampExtractor(config.trustsProducerTime()),
                SourceTopicMetadata.NONE,
                RestoredLogs.NONE,
                PublishedHeads.NONE);
    }

    /** Returns the settings on which the verdicts of a deployment depend. */
    public static StageSettings stages(ParleyConfig config) {
        return stages(config, Protocols.STANDARD, InputTopics.of(config, Protocols.STANDARD));
    }

    private static StageSettings stages(ParleyConfig config, Protocols protocols, InputTopics inputs) {
        CheckpointSettings checkpoints = new CheckpointSettings(
                CheckpointSettings.Branching.valueOf(
                        config.getString(ParleyConfig.BRANCHING).toUpperCase(Locale.ROOT)),
                config.getInt(ParleyConfig.PARKING_MAX),
                config.getLong(ParleyConfig.PARKING_MS),
                config.outputRecordBytes() / 4,
                new StateCacheBudget(Math.min(
                        CheckpointSettings.CACHE_BYTES, Runtime.getRuntime().maxMemory() / HEAP_DIVISOR)),
                config.getLong(RetentionKeys.CHECKPOINTS),
                new ParkingLimits(
                        config.getInt(ParleyConfig.PARKING_CONTEXT_MAX),
                        config.getLong(ParleyConfig.PARKING_CONTEXT_BYTES),
                        config.getInt(ParleyConfig.PARKING_TASK_MAX),
                        config.getLong(ParleyConfig.PARKING_TASK_BYTES)));
        return new StageSettings(
                config.decodeOptions(), config.dialogueSettings(), checkpoints, protocols, inputs.protocols());
    }

    /** Returns the number of partitions of the audit log: that of the tasks that judge. */
    int logPartitions(String applicationId) {
        return keyedByConversation ? inputPartitions() : sources.partitions(List.of(Topics.repartition(applicationId)));
    }

    /** Returns the number of partitions of the input topics; 1 without brokers. */
    int inputPartitions() {
        return sources.partitions(inputs.sources());
    }

    /** Returns the settings of a pipeline with brokers. */
    public PipelineSettings with(SourceTopicMetadata brokers, RestoredLogs logs, PublishedHeads published) {
        return new PipelineSettings(
                stages, keyedByConversation, heads, maxRedactions, inputs, recordTime, brokers, logs, published);
    }
}
