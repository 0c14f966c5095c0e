package dev.parley.topology;

import dev.parley.checkpoint.CheckpointSettings;
import dev.parley.codec.DecodeOptions;
import dev.parley.config.ParleyConfig;
import dev.parley.config.RetentionKeys;
import dev.parley.decode.MessageDecoder;
import dev.parley.dialogue.DialogueSettings;
import java.util.Locale;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * How the pipeline reads, judges and applies.
 *
 * @param decodeOptions strictness and limits
 * @param dialogue how dialogues are judged
 * @param checkpoints how patches are applied
 * @param keyedByConversation whether the operator declares the input keyed by conversation, which saves the repartition topic
 * @param heads how the heads of audit chains are published
 * @param recordTime how the time of an input record is determined
 */
public record PipelineSettings(
        DecodeOptions decodeOptions,
        DialogueSettings dialogue,
        CheckpointSettings checkpoints,
        boolean keyedByConversation,
        HeadSettings heads,
        TimestampExtractor recordTime) {

    /** The part of the heap that states kept in memory may take. */
    private static final int SHARE_OF_HEAP = 8;

    /** What a configuration says of the pipeline. */
    public static PipelineSettings of(ParleyConfig config) {
        CheckpointSettings checkpoints = new CheckpointSettings(
                CheckpointSettings.Branching.valueOf(
                        config.getString(ParleyConfig.BRANCHING).toUpperCase(Locale.ROOT)),
                config.getInt(ParleyConfig.PARKING_MAX),
                config.getLong(ParleyConfig.PARKING_MS),
                config.outputRecordBytes() / 4,
                Math.min(CheckpointSettings.CACHE_BYTES, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP),
                config.getLong(RetentionKeys.CHECKPOINTS));
        return new PipelineSettings(
                config.decodeOptions(),
                config.dialogueSettings(),
                checkpoints,
                config.getBoolean(ParleyConfig.KEYED),
                HeadSettings.of(config),
                new RecordTime(config.trustsProducerTime()));
    }

    /** A decoder for one task. */
    MessageDecoder decoder() {
        return new MessageDecoder(decodeOptions, Topics.WIRE_PROTOCOLS);
    }
}
