package dev.parley.topology;

import dev.parley.checkpoint.CheckpointSettings;
import dev.parley.codec.DecodeOptions;
import dev.parley.decode.MessageDecoder;
import dev.parley.dialogue.DialogueSettings;

/**
 * How the pipeline reads, judges and applies.
 *
 * @param decodeOptions strictness and limits
 * @param dialogue how dialogues are judged
 * @param checkpoints how patches are applied
 * @param keyedByConversation whether the operator declares the input keyed by conversation, which saves the repartition topic
 */
public record PipelineSettings(
        DecodeOptions decodeOptions,
        DialogueSettings dialogue,
        CheckpointSettings checkpoints,
        boolean keyedByConversation) {

    /** A decoder for one task. */
    MessageDecoder decoder() {
        return new MessageDecoder(decodeOptions, Topics.WIRE_PROTOCOLS);
    }
}
