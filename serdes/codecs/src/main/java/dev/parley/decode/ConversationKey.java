package dev.parley.decode;

import dev.parley.avro.Protocol;
import dev.parley.codec.Symbols;
import java.util.Optional;

/**
 * The identity of a conversation and the key of its records: {@code namespace|protocol|conversation}. The namespace is
 * percent-encoded for "%" and "|", so that the first two bars separate the parts; the conversation ID is not encoded.
 *
 * @param namespace the agent system; empty for undecodable records
 * @param protocol name of the protocol; UNKNOWN for undecodable records
 * @param conversation the conversation ID; for undecodable records, the input partition as "topic-partition"
 */
public record ConversationKey(String namespace, String protocol, String conversation) {
    /** The key of a conversation whose protocol has a symbol of its own. */
    public ConversationKey(String namespace, Protocol protocol, String conversation) {
        this(namespace, protocol.name(), conversation);
    }

    /**
     * The key of a conversation as views name it: by the symbol of its protocol. A conversation of EXTENSION is named
     * {@code PROTOCOL|conversation}, because many protocols share that symbol; a name of another form is that of no
     * conversation.
     */
    public static ConversationKey ofView(String namespace, Protocol symbol, String conversation) {
        int bar = symbol == Protocol.EXTENSION ? conversation.indexOf('|') : -1;
        return bar < 0
                ? new ConversationKey(namespace, symbol, conversation)
                : new ConversationKey(namespace, conversation.substring(0, bar), conversation.substring(bar + 1));
    }

    /** Symbol of the protocol; EXTENSION for one without a symbol of its own. */
    public Protocol symbol() {
        return symbolOf(protocol);
    }

    /** Symbol of a protocol by its name in keys; EXTENSION for one without a symbol of its own. */
    public static Protocol symbolOf(String protocol) {
        Protocol symbol = Symbols.PROTOCOL.of(protocol);
        return symbol.name().equals(protocol) ? symbol : Protocol.EXTENSION;
    }

    /** Name of the conversation in views; see {@link #ofView}. */
    public String nameInViews() {
        return symbol() == Protocol.EXTENSION ? protocol + '|' + conversation : conversation;
    }

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
        return find(key)
                .orElseThrow(
                        () -> new IllegalArgumentException("must be namespace|protocol|conversation, but was: " + key));
    }

    /** Parses a key; empty if it is not a conversation key. */
    public static Optional<ConversationKey> find(String key) {
        int first = key.indexOf('|');
        int second = key.indexOf('|', first + 1);
        return second == -1 || !WireProtocol.isName(key.substring(first + 1, second))
                ? Optional.empty()
                : Optional.of(new ConversationKey(
                        unescape(key.substring(0, first)),
                        key.substring(first + 1, second),
                        key.substring(second + 1)));
    }

    /** The key in the form of record keys. */
    @Override
    public String toString() {
        return escape(namespace) + '|' + protocol + '|' + conversation;
    }

    /** Percent-encodes "%" and "|" in a part of a key. */
    public static String escape(String part) {
        return part.replace("%", "%25").replace("|", "%7C");
    }

    /** Returns the part of a key that {@link #escape} encoded. */
    public static String unescape(String part) {
        return part.replace("%7C", "|").replace("%25", "%");
    }
}
