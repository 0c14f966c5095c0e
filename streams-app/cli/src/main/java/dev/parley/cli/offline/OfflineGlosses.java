package dev.parley.cli.offline;

import dev.parley.avro.AgentMessage;
import dev.parley.checkpoint.CheckpointKey;
import dev.parley.checkpoint.CheckpointReader;
import dev.parley.gloss.Definitions;
import dev.parley.protocol.Glosses;
import dev.parley.stage.JudgedRecord;

/**
 * Glosses of the messages of a transcript, with the definitions in force: those of a Λ conversation are in its dialogue
 * state, those of a CSP message in the checkpoint that it names as its context.
 *
 * @param checkpoints the checkpoints that the transcript has made so far
 */
record OfflineGlosses(Glosses glosses, CheckpointReader checkpoints) {

    /** The gloss of a judged message; null for a record that is not a message. */
    String of(JudgedRecord judged) {
        AgentMessage message = judged.message();
        if (message == null) {
            return null;
        }
        if (message.getCsp() == null) {
            return glosses.gloss(message, Glosses.definitions(judged.judgement().next()));
        }
        CheckpointKey context = new CheckpointKey(
                message.getNamespace(),
                message.getConversation(),
                message.getCsp().getCtx());
        Definitions definitions = name -> checkpoints.value(context, name).orElse(null);
        return glosses.gloss(message, definitions);
    }
}
