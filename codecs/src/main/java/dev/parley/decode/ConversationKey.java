package dev.parley.decode;

import dev.parley.avro.Protocol;

/**
 * The identity of a conversation and the key of its records: {@code namespace|protocol|conversation}. The namespace is
 * percent-encoded for "%" and "|", so that the first two bars separate the parts; the conversation ID is not encoded.
 *
 * @param namespace the agent system; empty for undecodable records
 * @param protocol the protocol; UNKNOWN for undecodable records
 * @param conversation the conversation ID; for undecodable records, the input partition as "topic-partition"
 */
public record ConversationKey(String namespace, Protocol protocol, String conversation) {

    /** The chain of the undecodable records of one input partition. */
    public static ConversationKey ofPartition(String topic, int partition) {
        return new ConversationKey("", Protocol.UNKNOWN, topic + "-" + partition);
    }

    /**
     * Parses a key.
     *
     * @throws IllegalArgumentException if it is not a conversation key
     */
    public static ConversationKey parse(String key) {
        int first = key.indexOf('|');
        int second = key.indexOf('|', first + 1);
        if (second == -1) {
            throw new IllegalArgumentException("must be namespace|protocol|conversation, but was: " + key);
        }
        String namespace = key.substring(0, first).replace("%7C", "|").replace("%25", "%");
        return new ConversationKey(
                namespace, Protocol.valueOf(key.substring(first + 1, second)), key.substring(second + 1));
    }

    /** The key in the form of record keys. */
    @Override
    public String toString() {
        return escape(namespace) + '|' + protocol.name() + '|' + conversation;
    }

    private static String escape(String part) {
        return part.replace("%", "%25").replace("|", "%7C");
    }
}
