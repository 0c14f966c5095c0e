package dev.parley.protocol;

import dev.parley.decode.WireProtocol;
import dev.parley.dialogue.DialogueProtocol;
import dev.parley.gloss.Glosser;
import dev.parley.state.StateModel;
import java.util.List;

/**
 * Everything that Parley needs to know of one protocol. From its name follow its chain keys, the prefix of its codes,
 * and its input topic; from its codec its serde and converter.
 *
 * @param dialogue its rules and dialogue state, and in it its wire part: codec, detection, place in the envelope
 * @param state how its messages add up to a state
 * @param section number of its section in docs/protocols.md
 * @param vectors its files in the conformance kit
 * @param glosser how its messages are put into a sentence
 */
public record ProtocolDefinition(
        DialogueProtocol<?> dialogue, StateModel state, String section, List<String> vectors, Glosser glosser) {
    /** Copies the list. */
    public ProtocolDefinition {
        vectors = List.copyOf(vectors);
    }

    /** A protocol whose glosses say no more than the envelope. */
    public ProtocolDefinition(DialogueProtocol<?> dialogue, StateModel state, String section, List<String> vectors) {
        this(dialogue, state, section, vectors, Glosser.PLAIN);
    }

    /** Its wire part. */
    public WireProtocol<?> wire() {
        return dialogue.wire();
    }

    /** Its name in upper case, as in chain keys. */
    public String name() {
        return wire().name();
    }

    /** Its own input topic. */
    public String inputTopic() {
        return Protocols.INPUT_TOPIC + '.' + wire().topicSuffix();
    }

    /** Whether patches of its messages make checkpoints. */
    public boolean usesCheckpoints() {
        return state instanceof StateModel.Checkpoints;
    }
}
