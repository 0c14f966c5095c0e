package dev.parley.topology.topics;

import dev.parley.decode.WireProtocol;
import dev.parley.protocol.Protocols;
import dev.parley.protocol.TopicNames;
import dev.parley.stage.InputPolicy;
import dev.parley.topology.config.ParleyConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The input topics of a deployment: Parley's own and those of its input policy.
 *
 * @param names names of the deployment's own topics
 * @param topics all input topics, Parley's own first
 * @param protocols protocol of each input topic that carries only one
 * @param policy messages that each topic may carry; empty if every topic may carry every message
 */
public record InputTopics(
        TopicNames names, List<String> topics, Map<String, WireProtocol<?>> protocols, Optional<InputPolicy> policy) {

    /** Copies list and map. */
    public InputTopics {
        topics = List.copyOf(topics);
        protocols = Map.copyOf(protocols);
    }

    public static InputTopics of(ParleyConfig config) {
        return of(config, Protocols.STANDARD);
    }

    public static InputTopics of(ParleyConfig config, Protocols registered) {
        Set<String> topics = new LinkedHashSet<>(config.topics().inputs(registered));
        Map<String, WireProtocol<?>> protocols = new HashMap<>(config.topics().byInputTopic(registered));
        config.inputPolicy()
                .ifPresent(policy -> policy.rules().forEach(rule -> {
                    topics.add(rule.topic());
                    if (rule.protocol() != null) {
                        protocols.put(rule.topic(), rule.protocol());
                    }
                }));
        return new InputTopics(config.topics(), List.copyOf(topics), protocols, config.inputPolicy());
    }

    /** Returns all topics that the pipeline reads: the input topics and the redaction topic. */
    public List<String> sources() {
        List<String> sources = new ArrayList<>(topics);
        sources.add(names.redaction());
        return sources;
    }
}
