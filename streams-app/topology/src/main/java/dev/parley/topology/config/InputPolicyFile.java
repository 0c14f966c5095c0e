package dev.parley.topology.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.config.ConfigException;

/** Reads an input policy: one JSON object per line and input topic. Skips blank lines and lines that start with #. */
final class InputPolicyFile {
    private static final Set<String> KEYS = Set.of("topic", "protocol", "namespaces", "senders", "conversations");
    private static final String EXAMPLE =
            "; a line looks like {\"topic\":\"team-a.wire\",\"namespaces\":[\"team-a\"],\"senders\":[\"PLANNER\"]}";
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

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
        InputPolicyFile reader = new InputPolicyFile(names);
        List<Rule> rules = new ArrayList<>();
        Set<String> topics = new HashSet<>();
        int number = 0;
        for (String line : text(file).lines().toList()) {
            number++;
            if (!line.isBlank() && !line.startsWith("#")) {
                try {
                    Rule rule = reader.rule(line);
                    if (!topics.add(rule.topic())) {
                        throw new InvalidLineException("topic " + rule.topic() + " may have only one line");
                    }
                    rules.add(rule);
                } catch (InvalidLineException e) {
                    throw new ConfigException(ParleyConfig.INPUT_POLICY_FILE + ": " + file + ", line " + number + ": "
                            + e.getMessage() + EXAMPLE);
                }
            }
        }
        if (rules.isEmpty()) {
            throw new ConfigException(
                    ParleyConfig.INPUT_POLICY_FILE + ": " + file + " must have at least one line" + EXAMPLE);
        }
        return new InputPolicy(rules);
    }

    private static String text(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new ConfigException(
                    ParleyConfig.INPUT_POLICY_FILE + ": " + file + ": cannot be read: " + FileErrors.reason(e));
        }
    }

    private Rule rule(String line) throws InvalidLineException {
        JsonNode node;
        try {
            node = JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new InvalidLineException("it must be JSON: " + e.getOriginalMessage());
        }
        if (node == null || !node.isObject()) {
            throw new InvalidLineException("it must be a JSON object");
        }
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            if (!KEYS.contains(field.getKey())) {
                throw new InvalidLineException("unknown key '" + field.getKey()
                        + "'; allowed are topic, protocol, namespaces, senders, conversations");
            }
        }
        String topic = topic(node.path("topic"));
        return new Rule(
                topic,
                protocol(node.get("protocol"), topic),
                names(node, "namespaces"),
                names(node, "senders"),
                node.has("conversations") ? names(node, "conversations") : Set.of(InputPolicy.ANY));
    }

    private String topic(JsonNode node) throws InvalidLineException {
        String topic = node.isTextual() ? node.textValue() : "";
        if (!TopicNames.isLegal(topic)) {
            throw new InvalidLineException(
                    "topic must be a Kafka topic name: letters, digits, '.', '_' and '-', at most "
                            + TopicNames.MAX_NAME);
        }
        if (topic.startsWith("__") || topic.startsWith(names.prefix()) && !isOwnInput(topic)) {
            throw new InvalidLineException("topic " + topic
                    + " must be " + names.wire() + ", " + names.wire()
                    + ".PROTOCOL, or a name that does not start with __ or " + names.prefix());
        }
        return topic;
    }

    private boolean isOwnInput(String topic) {
        return names.inputs(Protocols.STANDARD).contains(topic);
    }

    private WireProtocol<?> protocol(JsonNode node, String topic) throws InvalidLineException {
        if (node == null) {
            return null;
        }
        WireProtocol<?> protocol = node.isTextual() ? Protocols.STANDARD.wire().named(node.textValue()) : null;
        if (protocol == null) {
            throw new InvalidLineException(
                    "protocol must be " + Protocols.STANDARD.wire().names());
        }
        if (isOwnInput(topic)) {
            throw new InvalidLineException("protocol must be omitted for " + topic + ": the topic name determines it");
        }
        return protocol;
    }

    private static Set<String> names(JsonNode node, String key) throws InvalidLineException {
        JsonNode list = node.path(key);
        Set<String> names = new LinkedHashSet<>();
        for (JsonNode name : list) {
            if (!name.isTextual() || name.textValue().isEmpty()) {
                throw new InvalidLineException(key + " must be an array of non-empty strings");
            }
            names.add(name.textValue());
        }
        if (!list.isArray() || names.isEmpty()) {
            throw new InvalidLineException(key + " must be an array of at least one name; [\"*\"] allows any");
        }
        return names;
    }

    /** Describes the problem in a line. */
    private static final class InvalidLineException extends Exception {
        private static final long serialVersionUID = 1L;

        InvalidLineException(String message) {
            super(message);
        }
    }
}
