package dev.parley.topology.config;

import dev.parley.decode.WireProtocol;
import dev.parley.logging.FileErrors;
import dev.parley.protocol.Protocols;
import dev.parley.protocol.TopicNames;
import dev.parley.stage.InputPolicy;
import dev.parley.stage.InputPolicy.Rule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.config.ConfigException;

/** Reads an input policy: one JSON object per line and input topic. Skips blank lines and lines that start with #. */
final class InputPolicyFile {
    private static final Set<String> KEYS = Set.of("topic", "protocol", "namespaces", "senders", "conversations");
    private static final String EXAMPLE =
            "; a line looks like {\"topic\":\"team-a.wire\",\"namespaces\":[\"team-a\"],\"senders\":[\"PLANNER\"]}";

    private final Set<String> topics = new HashSet<>();
    private final TopicNames names;

    private InputPolicyFile(TopicNames names) {
        this.names = names;
    }

    /**
     * Reads and validates a file.
     *
     * @param names names of the deployment's own topics
     * @throws ConfigException if the file cannot be read or a line is invalid; the message names file and line
     */
    static InputPolicy read(Path file, TopicNames names) {
        String source = ParleyConfig.INPUT_POLICY_FILE + ": " + file;
        String text;
        try {
            text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new ConfigException(source + ": cannot be read: " + FileErrors.reason(e));
        }
        List<Rule> rules = ConfigLine.parse(source, text, new InputPolicyFile(names)::rule, EXAMPLE);
        if (rules.isEmpty()) {
            throw new ConfigException(source + " must have at least one line" + EXAMPLE);
        }
        return new InputPolicy(rules);
    }

    private Rule rule(ConfigLine line) {
        line.unknownKey(KEYS).ifPresent(key -> {
            throw new IllegalArgumentException(
                    "unknown key '" + key + "'; allowed are topic, protocol, namespaces, senders, conversations");
        });
        String topic = topic(line.text("topic"));
        if (!topics.add(topic)) {
            throw new IllegalArgumentException("topic " + topic + " may have only one line");
        }
        return new Rule(
                topic,
                line.has("protocol") ? protocol(line.text("protocol"), topic) : null,
                line.names("namespaces"),
                line.names("senders"),
                line.has("conversations") ? line.names("conversations") : Set.of(InputPolicy.ANY));
    }

    private String topic(String topic) {
        if (!TopicNames.isLegal(topic)) {
            throw new IllegalArgumentException(
                    "topic must be a Kafka topic name: letters, digits, '.', '_' and '-', at most "
                            + TopicNames.MAX_NAME);
        }
        if (topic.startsWith("__") || topic.startsWith(names.prefix()) && !isOwnInput(topic)) {
            throw new IllegalArgumentException("topic " + topic
                    + " must be " + names.wire() + ", " + names.wire()
                    + ".PROTOCOL, or a name that does not start with __ or " + names.prefix());
        }
        return topic;
    }

    private boolean isOwnInput(String topic) {
        return names.inputs(Protocols.STANDARD).contains(topic);
    }

    private WireProtocol<?> protocol(String name, String topic) {
        WireProtocol<?> protocol = Protocols.STANDARD.wire().named(name);
        if (protocol == null) {
            throw new IllegalArgumentException(
                    "protocol must be " + Protocols.STANDARD.wire().names());
        }
        if (isOwnInput(topic)) {
            throw new IllegalArgumentException(
                    "protocol must be omitted for " + topic + ": the topic name determines it");
        }
        return protocol;
    }
}
