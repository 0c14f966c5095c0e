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
import dev.parley.dialogue.mcp.McpRules;
import dev.parley.gloss.CspGlosser;
import dev.parley.gloss.LambdaGlosser;
import dev.parley.gloss.McpGlosser;
import dev.parley.gloss.SlipGlosser;
import dev.parley.gloss.SubitGlosser;
import dev.parley.items.CspItems;
import dev.parley.items.ItemRules;
import dev.parley.items.LambdaItems;
import dev.parley.items.McpItems;
import dev.parley.items.SlipItems;
import dev.parley.items.SubitItems;
import dev.parley.state.LambdaChanges;
import dev.parley.state.McpChanges;
import dev.parley.state.SlipChanges;
import dev.parley.state.StateModel;
import dev.parley.state.SubitChanges;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The protocols that a pipeline audits. Immutable and thread-safe. */
public final class Protocols {
    /** The standard protocols, in the order of their detection. Register a new protocol here. */
    public static final Protocols STANDARD = new Protocols(List.of(
            new ProtocolDefinition(
                    McpRules.PROTOCOL,
                    settings -> McpChanges.MODEL,
                    List.of("record/mcp.jsonl", "decode/mcp.jsonl", "dialogue/mcp.jsonl"),
                    new McpGlosser(),
                    new McpItems()),
            new ProtocolDefinition(
                    SlipRules.PROTOCOL,
                    settings -> SlipChanges.MODEL,
                    List.of("decode/slip.jsonl", "dialogue/slip.jsonl"),
                    new SlipGlosser(),
                    new SlipItems()),
            new ProtocolDefinition(
                    SubitRules.PROTOCOL,
                    settings -> SubitChanges.MODEL,
                    List.of("decode/subit.jsonl", "dialogue/subit.jsonl"),
                    new SubitGlosser(),
                    new SubitItems()),
            new ProtocolDefinition(
                    CspRules.PROTOCOL,
                    settings -> new StateModel.Checkpoints(),
                    List.of("decode/csp.jsonl", "dialogue/csp.jsonl", "dialogue/checkpoints.jsonl"),
                    new CspGlosser(),
                    new CspItems()),
            new ProtocolDefinition(
                    LambdaRules.PROTOCOL,
                    LambdaChanges::model,
                    List.of("decode/lambda.jsonl", "dialogue/lambda.jsonl"),
                    new LambdaGlosser(),
                    new LambdaItems())));

    private final List<ProtocolDefinition> definitions;
    private final ProtocolIndex<ProtocolDefinition> index;
    private final WireProtocols wire;
    private final StoredStates storedStates;

    /**
     * Creates a list of protocols.
     *
     * @param definitions descriptors in the order of their detection
     * @throws IllegalArgumentException if two have the same name
     */
    public Protocols(List<ProtocolDefinition> definitions) {
        this.definitions = List.copyOf(definitions);
        this.index = new ProtocolIndex<>(definitions, ProtocolDefinition::wire);
        this.wire = new WireProtocols(definitions.stream()
                .<WireProtocol<?>>map(ProtocolDefinition::wire)
                .toList());
        this.storedStates = new StoredStates(dialogues());
    }

    public Protocols with(ProtocolDefinition definition) {
        List<ProtocolDefinition> all = new ArrayList<>(definitions);
        all.add(definition);
        return new Protocols(all);
    }

    public List<ProtocolDefinition> all() {
        return definitions;
    }

    /** Returns the protocol with a name in chain keys; empty if it is unknown. */
    public Optional<ProtocolDefinition> named(String name) {
        return Optional.ofNullable(index.named(name));
    }

    /** Returns the protocol of a message; empty if it is unknown. */
    public Optional<ProtocolDefinition> of(AgentMessage message) {
        return Optional.ofNullable(index.of(message));
    }

    /** Returns the rules of the items of a message's protocol; none without a message of a known one. */
    public ItemRules itemRules(AgentMessage message) {
        ProtocolDefinition definition = index.of(message);
        // A message of a protocol without items is not decoded.
        return definition == null
                        || definition.items() == ItemRules.NONE
                        || definition.wire().message(message) == null
                ? ItemRules.NONE
                : definition.items();
    }

    /** Returns the state model of the protocol with a name in chain keys; empty if it is unknown. */
    public Optional<StateModel> stateModel(String name, DialogueSettings settings) {
        return named(name).map(definition -> definition.state().apply(settings));
    }

    public WireProtocols wire() {
        return wire;
    }

    public StoredStates storedStates() {
        return storedStates;
    }

    public Judge judge(DialogueSettings settings) {
        return new Judge(dialogues(), settings);
    }

    private List<DialogueProtocol<?>> dialogues() {
        return definitions.stream()
                .<DialogueProtocol<?>>map(ProtocolDefinition::dialogue)
                .toList();
    }
}
