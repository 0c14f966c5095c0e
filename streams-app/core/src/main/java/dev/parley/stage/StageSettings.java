package dev.parley.stage;

import dev.parley.checkpoint.CheckpointSettings;
import dev.parley.codec.DecodeOptions;
import dev.parley.decode.MessageDecoder;
import dev.parley.decode.WireProtocol;
import dev.parley.diagnosis.ValueDiagnosis;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.dialogue.Judge;
import dev.parley.protocol.Protocols;
import dev.parley.protocol.TopicNames;
import dev.parley.state.StateModel;
import java.util.Map;
import java.util.Optional;

/**
 * Settings on which verdicts depend. A replay with the settings of the pipeline gives its verdicts.
 *
 * @param decode profile and limits of the decoders
 * @param dialogue settings of the dialogue rules
 * @param checkpoints settings of patches and checkpoints
 * @param protocols the audited protocols
 * @param topicProtocols protocols of the input topics that have one
 */
public record StageSettings(
        DecodeOptions decode,
        DialogueSettings dialogue,
        CheckpointSettings checkpoints,
        Protocols protocols,
        Map<String, WireProtocol<?>> topicProtocols) {

    /** The settings of a pipeline without configuration, with the input topics of the protocols. */
    public static final StageSettings DEFAULT = of(DecodeOptions.LENIENT, DialogueSettings.DEFAULT);

    /** Creates settings that are the default except for the decoders and the dialogue rules. */
    public static StageSettings of(DecodeOptions decode, DialogueSettings dialogue) {
        return new StageSettings(
                decode,
                dialogue,
                CheckpointSettings.DEFAULT,
                Protocols.STANDARD,
                TopicNames.DEFAULT.byInputTopic(Protocols.STANDARD));
    }

    /** Returns these settings with other settings of the decoders and of the dialogue rules. */
    public StageSettings with(DecodeOptions otherDecode, DialogueSettings otherDialogue) {
        return new StageSettings(otherDecode, otherDialogue, checkpoints, protocols, topicProtocols);
    }

    /** Returns these settings with other settings of patches and checkpoints. */
    public StageSettings with(CheckpointSettings other) {
        return new StageSettings(decode, dialogue, other, protocols, topicProtocols);
    }

    /** Creates a decoder, which is not thread-safe. */
    public MessageDecoder decoder() {
        return ValueDiagnosis.decoder(decode, protocols.wire(), topicProtocols);
    }

    public Judge judge() {
        return protocols.judge(dialogue);
    }

    /** Returns the state model of the protocol with a name in chain keys; empty if it is unknown. */
    public Optional<StateModel> stateModel(String name) {
        return protocols.stateModel(name, dialogue);
    }
}
