package dev.parley.protocol;

import dev.parley.avro.AgentMessage;
import dev.parley.decode.ProtocolIndex;
import dev.parley.decode.WireProtocol;
import dev.parley.decode.WireProtocols;
import dev.parley.dialogue.DialogueProtocol;
import dev.parley.dialogue.DialogueSettings;
import dev.parley.dialogue.Judge;
import dev.parley.dialogue.SlipRules;
import dev.parley.dialogue.StoredStates;
import dev.parley.dialogue.SubitRules;
import dev.parley.dialogue.csp.CspRules;
import dev.parley.dialogue.lambda.LambdaRules;
import dev.parley.gloss.CspGlosser;
import dev.parley.gloss.LambdaGlosser;
import dev.parley.gloss.SlipGlosser;
import dev.parley.gloss.SubitGlosser;
import dev.parley.state.LambdaChanges;
import dev.parley.state.SlipChanges;
import dev.parley.state.StateModel;
import dev.parley.state.SubitChanges;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The protocols that a pipeline audits. Immutable; for any number of threads. */
public final class Protocols {
    /** Input topic of any protocol; a protocol's own is this, a dot, and its name. */
    public static final String INPUT_TOPIC = "parley.wire";

    /** The protocols of Parley, in the order in which their detection is tried. A new protocol is registered here. */
    public static final Protocols STANDARD = new Protocols(List.of(
            new ProtocolDefinition(
                    SlipRules.PROTOCOL,
                    SlipChanges.MODEL,
                    "1",
                    List.of("decode/slip.jsonl", "dialogue/slip.jsonl"),
                    new SlipGlosser()),
            new ProtocolDefinition(
                    SubitRules.PROTOCOL,
                    SubitChanges.MODEL,
                    "2",
                    List.of("decode/subit.jsonl", "dialogue/subit.jsonl"),
                    new SubitGlosser()),
            new ProtocolDefinition(
                    CspRules.PROTOCOL,
                    new StateModel.Checkpoints(),
                    "3",
                    List.of("decode/csp.jsonl", "dialogue/csp.jsonl", "dialogue/checkpoints.jsonl"),
                    new CspGlosser()),
            new ProtocolDefinition(
                    LambdaRules.PROTOCOL,
                    LambdaChanges.MODEL,
                    "4",
                    List.of("decode/lambda.jsonl", "dialogue/lambda.jsonl"),
                    new LambdaGlosser())));

    private final List<ProtocolDefinition> definitions;
    private final ProtocolIndex<ProtocolDefinition> index;
    private final WireProtocols wire;
    private final StoredStates storedStates;

    /**
     * A list of protocols.
     *
     * @param definitions in the order in which their detection is tried
     * @throws IllegalArgumentException if two have a name in common
     */
    public Protocols(List<ProtocolDefinition> definitions) {
        this.definitions = List.copyOf(definitions);
        this.index = new ProtocolIndex<>(definitions, ProtocolDefinition::wire);
        this.wire = new WireProtocols(definitions.stream()
                .<WireProtocol<?>>map(ProtocolDefinition::wire)
                .toList());
        this.storedStates = new StoredStates(dialogues());
    }

    /** These protocols and one more. */
    public Protocols with(ProtocolDefinition definition) {
        List<ProtocolDefinition> all = new ArrayList<>(definitions);
        all.add(definition);
        return new Protocols(all);
    }

    /** All protocols in order. */
    public List<ProtocolDefinition> all() {
        return definitions;
    }

    /** The protocol of a message; null if it is none of these. */
    public ProtocolDefinition of(AgentMessage message) {
        return index.of(message);
    }

    /** The protocol with that name in chain keys; empty if there is none. */
    public Optional<ProtocolDefinition> named(String name) {
        return Optional.ofNullable(index.named(name));
    }

    /** The state model of the protocol with that name in chain keys; empty if there is none. */
    public Optional<StateModel> stateModel(String name) {
        return named(name).map(ProtocolDefinition::state);
    }

    /** The wire parts. */
    public WireProtocols wire() {
        return wire;
    }

    /** The form of states in stores. */
    public StoredStates storedStates() {
        return storedStates;
    }

    /** A judge of these protocols. */
    public Judge judge(DialogueSettings settings) {
        return new Judge(dialogues(), settings);
    }

    /** The input topics of one protocol each, by topic. */
    public Map<String, WireProtocol<?>> byInputTopic() {
        Map<String, WireProtocol<?>> protocols = new LinkedHashMap<>();
        definitions.forEach(definition -> protocols.put(definition.inputTopic(), definition.wire()));
        return protocols;
    }

    private List<DialogueProtocol<?>> dialogues() {
        return definitions.stream()
                .<DialogueProtocol<?>>map(ProtocolDefinition::dialogue)
                .toList();
    }
}
