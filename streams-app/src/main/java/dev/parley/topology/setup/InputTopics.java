package dev.parley.topology.setup;

import dev.parley.config.ParleyConfig;
import dev.parley.decode.WireProtocol;
import dev.parley.protocol.Protocols;
import dev.parley.stage.InputPolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The input topics of a deployment: Parley's own and those that its input policy names.
 *
 * @param topics all input topics, Parley's own first
 * @param protocols protocol of each input topic that has one of its own
 * @param policy what each may carry; empty when every input topic may carry everything
 */
public record InputTopics(List<String> topics, Map<String, WireProtocol<?>> protocols, Optional<InputPolicy> policy) {

    /** Copies list and map. */
    public InputTopics {
        topics = List.copyOf(topics);
        protocols = Map.copyOf(protocols);
    }

    /** The inputs of a configuration, for Parley's protocols. */
    public static InputTopics of(ParleyConfig config) {
        return of(config, Protocols.STANDARD);
    }

    /** The inputs of a configuration. */
    public static InputTopics of(ParleyConfig config, Protocols registered) {
        Set<String> topics = new LinkedHashSet<>(Topics.inputs(registered));
        Map<String, WireProtocol<?>> protocols = new HashMap<>(registered.byInputTopic());
        config.inputPolicy()
                .ifPresent(policy -> policy.rules().forEach(rule -> {
                    topics.add(rule.topic());
                    if (rule.protocol() != null) {
                        protocols.put(rule.topic(), rule.protocol());
                    }
                }));
        return new InputTopics(List.copyOf(topics), protocols, config.inputPolicy());
    }

    /** All topics that the pipeline reads: the inputs, and redactions. */
    public List<String> sources() {
        List<String> sources = new ArrayList<>(topics);
        sources.add(Topics.REDACTION);
        return sources;
    }
}
