package dev.parley.decode;

import dev.parley.avro.Protocol;

/**
 * The identity of a conversation, which is also the key of its records: {@code namespace|protocol|conversation}. In the namespace "%" and "|" stand
 * percent-encoded, so that the first two bars separate; the conversation stands as it is.
 *
 * @param namespace the agent system; empty for what cannot be decoded
 * @param protocol the protocol; UNKNOWN for what cannot be decoded
 * @param conversation the conversation; for what cannot be decoded, its source partition as "topic-partition"
 */
public record ConversationKey(String namespace, Protocol protocol, String conversation) {

    /** The chain of what cannot be decoded of one input partition. */
    public static ConversationKey ofPartition(String topic, int partition) {
        return new ConversationKey("", Protocol.UNKNOWN, topic + "-" + partition);
    }

    /**
     * Reads a key.
     *
     * @throws IllegalArgumentException when it is none
     */
    public static ConversationKey parse(String key) {
        int first = key.indexOf('|');
        int second = key.indexOf('|', first + 1);
        if (second == -1) {
            throw new IllegalArgumentException("not namespace|protocol|conversation: " + key);
        }
        String namespace = key.substring(0, first).replace("%7C", "|").replace("%25", "%");
        return new ConversationKey(
                namespace, Protocol.valueOf(key.substring(first + 1, second)), key.substring(second + 1));
    }

    /** The key as it stands on records. */
    @Override
    public String toString() {
        return escape(namespace) + '|' + protocol.name() + '|' + conversation;
    }

    private static String escape(String part) {
        return part.replace("%", "%25").replace("|", "%7C");
    }
}
