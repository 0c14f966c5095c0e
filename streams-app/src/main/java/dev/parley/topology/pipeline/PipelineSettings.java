package dev.parley.topology.pipeline;

import dev.parley.checkpoint.CheckpointSettings;
import dev.parley.checkpoint.ParkingLimits;
import dev.parley.checkpoint.StateCacheBudget;
import dev.parley.codec.DecodeOptions;
import dev.parley.config.AuditKeys;
import dev.parley.config.ParleyConfig;
import dev.parley.config.RetentionKeys;
import dev.parley.decode.MessageDecoder;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.protocol.Protocols;
import dev.parley.topology.setup.ClampingTimestampExtractor;
import dev.parley.topology.setup.InputTopics;
import dev.parley.topology.setup.SourceTopicMetadata;
import java.util.Locale;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * How the pipeline reads, judges and applies.
 *
 * @param decodeOptions strictness and limits
 * @param dialogue how dialogues are judged
 * @param checkpoints how patches are applied
 * @param keyedByConversation whether the operator declares the input keyed by conversation, which saves the repartition
 *     topic
 * @param heads how the heads of audit chains are published
 * @param maxRedactions maximum number of redactions that one chain records
 * @param inputs the input topics and what they may carry
 * @param recordTime how the time of an input record is determined
 * @param sources what is known of the topics that it reads
 * @param protocols the protocols that it audits
 */
public record PipelineSettings(
        DecodeOptions decodeOptions,
        DialogueSettings dialogue,
        CheckpointSettings checkpoints,
        boolean keyedByConversation,
        ChainHeadSettings heads,
        int maxRedactions,
        InputTopics inputs,
        TimestampExtractor recordTime,
        SourceTopicMetadata sources,
        Protocols protocols) {

    /** The part of the heap that states kept in memory may take. */
    private static final int HEAP_DIVISOR = 8;

    /** What a configuration says of the pipeline of Parley's protocols. */
    public static PipelineSettings of(ParleyConfig config) {
        return of(config, Protocols.STANDARD);
    }

    /** What a configuration says of the pipeline of some protocols. */
    public static PipelineSettings of(ParleyConfig config, Protocols protocols) {
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
        return new PipelineSettings(
                config.decodeOptions(),
                config.dialogueSettings(),
                checkpoints,
                config.getBoolean(ParleyConfig.KEYED),
                ChainHeadSettings.of(config),
                config.getInt(AuditKeys.REDACTIONS_LIMIT),
                InputTopics.of(config, protocols),
                new ClampingTimestampExtractor(config.trustsProducerTime()),
                SourceTopicMetadata.NONE,
                protocols);
    }

    /** The same, with brokers to ask about the topics. */
    public PipelineSettings with(SourceTopicMetadata brokers) {
        return new PipelineSettings(
                decodeOptions,
                dialogue,
                checkpoints,
                keyedByConversation,
                heads,
                maxRedactions,
                inputs,
                recordTime,
                brokers,
                protocols);
    }

    /** A decoder for one task. */
    MessageDecoder decoder() {
        return new MessageDecoder(decodeOptions, protocols.wire(), inputs.protocols());
    }
}
