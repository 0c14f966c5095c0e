package dev.parley.stage;

import dev.parley.avro.Claims;
import dev.parley.codec.Excerpt;
import dev.parley.decode.ConversationKey;
import dev.parley.decode.RecordDecodeResult;
import dev.parley.decode.WireProtocol;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Restricts the namespaces, senders, and conversations of each input topic. Kafka authorizes the writers of a topic;
 * the policy binds the claims of a message to its topic. A relay prefix of a Λ message is content: only the sender of
 * the record itself is checked.
 */
public final class InputPolicy {
    /** Allows any name. */
    public static final String ANY = "*";

    private final Map<String, Rule> rules;

    /**
     * Creates a policy.
     *
     * @param rules one rule per topic; a topic without a rule accepts no messages
     */
    public InputPolicy(List<Rule> rules) {
        Map<String, Rule> byTopic = new LinkedHashMap<>();
        rules.forEach(rule -> byTopic.put(rule.topic(), rule));
        this.rules = byTopic;
    }

    /**
     * Rule of one input topic.
     *
     * @param protocol protocol of its messages; null if headers or bytes determine it
     * @param namespaces allowed namespaces, or {@link #ANY}
     * @param senders allowed senders, or {@link #ANY}, which also allows messages without a sender
     * @param conversations allowed conversations, or {@link #ANY}
     */
    public record Rule(
            String topic,
            WireProtocol<?> protocol,
            Set<String> namespaces,
            Set<String> senders,
            Set<String> conversations) {
        /** Copies the sets. */
        public Rule {
            namespaces = Set.copyOf(namespaces);
            senders = Set.copyOf(senders);
            conversations = Set.copyOf(conversations);
        }
    }

    /** The rules in the order of their file. */
    public List<Rule> rules() {
        return List.copyOf(rules.values());
    }

    /**
     * Checks a message.
     *
     * @return a sentence about the violation; empty if the message is allowed
     */
    public Optional<String> check(String topic, RecordDecodeResult.Message message) {
        ConversationKey conversation = message.conversation();
        Rule rule = rules.get(topic);
        if (rule == null) {
            return Optional.of("the input policy has no line for topic " + topic + ", so it carries no messages");
        }
        if (!allows(rule.namespaces(), conversation.namespace())) {
            return notAllowed("namespace", conversation.namespace(), topic);
        }
        if (!allows(rule.senders(), message.sender())) {
            return notAllowed("sender", message.sender(), topic);
        }
        return allows(rule.conversations(), conversation.conversation())
                ? Optional.empty()
                : notAllowed("conversation", conversation.conversation(), topic);
    }

    /**
     * Removes the claims of an undecodable record that its topic does not allow. Names belong to a namespace, so a
     * namespace that is not allowed takes the other names with it.
     *
     * @param claims its claims; may be null
     */
    public Claims allowed(String topic, Claims claims) {
        if (claims == null) {
            return null;
        }
        Rule rule = rules.get(topic);
        boolean known = rule != null && allows(rule.namespaces(), claims.getNamespace());
        return new Claims(
                claims.getProtocol(),
                known ? claims.getNamespace() : null,
                known && allows(rule.conversations(), claims.getConversation()) ? claims.getConversation() : null,
                known && allows(rule.senders(), claims.getSender()) ? claims.getSender() : null);
    }

    private static Optional<String> notAllowed(String what, String name, String topic) {
        String named = name == null ? "a message without " + what : what + " '" + Excerpt.of(name) + "'";
        return Optional.of("the input policy does not allow " + named + " in topic " + topic);
    }

    private static boolean allows(Set<String> allowed, String name) {
        return allowed.contains(ANY) || name != null && allowed.contains(name);
    }
}
