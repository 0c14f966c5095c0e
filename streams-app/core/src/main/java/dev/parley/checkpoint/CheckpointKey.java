package dev.parley.checkpoint;

import dev.parley.avro.Protocol;
import dev.parley.decode.ConversationKey;

/**
 * Identity of a checkpoint. Its string form {@code namespace|context|id} is the key of the checkpoint stores. '%' is
 * escaped as {@code %25} and '|' as {@code %7C}, so that keys are unique and the checkpoints of a context share a
 * prefix.
 *
 * @param namespace agent system
 * @param context CSP context (the conversation)
 * @param id checkpoint ID, for example C1
 */
public record CheckpointKey(String namespace, String context, String id) {
    /** The initial checkpoint of every context: the empty state. */
    public static final String ROOT = "C0";

    /** Returns the common prefix of the keys of one context. */
    public static String prefix(String namespace, String context) {
        return ConversationKey.escape(namespace) + '|' + ConversationKey.escape(context) + '|';
    }

    /** Whether a chain is that of a context, whose patches may have been parked. Never throws. */
    public static boolean isChain(String chain) {
        return chain.startsWith(Protocol.CSP + "|", chain.indexOf('|') + 1);
    }

    /** Returns the conversation whose patches make the checkpoints of a context. */
    public static ConversationKey chain(String namespace, String context) {
        return new ConversationKey(namespace, Protocol.CSP, context);
    }

    /**
     * Parses a key.
     *
     * @throws IllegalArgumentException if the text is not a key
     */
    public static CheckpointKey parse(String text) {
        int first = text.indexOf('|');
        int second = text.indexOf('|', first + 1);
        if (second >= 0) {
            CheckpointKey key = new CheckpointKey(
                    ConversationKey.unescape(text.substring(0, first)),
                    ConversationKey.unescape(text.substring(first + 1, second)),
                    ConversationKey.unescape(text.substring(second + 1)));
            if (key.toString().equals(text)) {
                return key;
            }
        }
        throw new IllegalArgumentException("'" + text + "' must be a checkpoint key, namespace|context|id");
    }

    public boolean isRoot() {
        return id.equals(ROOT);
    }

    /** Returns the key of another checkpoint of the same context. */
    CheckpointKey sibling(String other) {
        return new CheckpointKey(namespace, context, other);
    }

    /** The generated methods of a record take several times as long, and a patch compares keys often. */
    @Override
    public boolean equals(Object other) {
        return other instanceof CheckpointKey key
                && id.equals(key.id)
                && context.equals(key.context)
                && namespace.equals(key.namespace);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * namespace.hashCode() + context.hashCode()) + id.hashCode();
    }

    @Override
    public String toString() {
        return prefix(namespace, context) + ConversationKey.escape(id);
    }
}
