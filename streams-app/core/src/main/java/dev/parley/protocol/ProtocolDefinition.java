package dev.parley.protocol;

import dev.parley.decode.WireProtocol;
import dev.parley.dialogue.DialogueProtocol;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.gloss.Glosser;
import dev.parley.items.ItemRules;
import dev.parley.state.StateModel;
import java.util.List;
import java.util.function.Function;

/**
 * Descriptor of one protocol. Its name determines its chain keys, the prefix of its codes, and its input topic; its
 * codec determines its serde and converter.
 *
 * @param dialogue its rules and dialogue state, including its wire part: codec, detection, field in the envelope
 * @param state creates the model that derives a state from its messages
 * @param vectors its files in the conformance kit
 * @param glosser writes a sentence about each of its messages
 * @param items what opens and closes its requests
 */
public record ProtocolDefinition(
        DialogueProtocol<?> dialogue,
        Function<DialogueSettings, StateModel> state,
        List<String> vectors,
        Glosser glosser,
        ItemRules items) {
    public ProtocolDefinition {
        vectors = List.copyOf(vectors);
    }

    /** A protocol without items, whose glosses say no more than the envelope. */
    public ProtocolDefinition(
            DialogueProtocol<?> dialogue, Function<DialogueSettings, StateModel> state, List<String> vectors) {
        this(dialogue, state, vectors, Glosser.PLAIN, ItemRules.NONE);
    }

    /** This protocol with other glosses. */
    public ProtocolDefinition with(Glosser other) {
        return new ProtocolDefinition(dialogue, state, vectors, other, items);
    }

    public WireProtocol<?> wire() {
        return dialogue.wire();
    }

    /** Its name in upper case, as in chain keys. */
    public String name() {
        return wire().name();
    }
}
