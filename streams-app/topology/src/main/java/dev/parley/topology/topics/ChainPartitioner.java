package dev.parley.topology.topics;

import dev.parley.avro.Protocol;
import dev.parley.checkpoint.CheckpointKey;
import dev.parley.decode.ConversationKey;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;

/**
 * Assigns chains to partitions, as a Kafka producer does for the chain as key. All records of a conversation, including
 * its checkpoints, are in partitions of the same number.
 */
public final class ChainPartitioner {
    /** Placeholder for an absent namespace; only for conversations of protocol UNKNOWN. */
    public static final String NO_NAMESPACE = "-";

    private ChainPartitioner() {}

    public static int partition(String chain, int partitions) {
        return BuiltInPartitioner.partitionForKey(chain.getBytes(StandardCharsets.UTF_8), partitions);
    }

    public static String chainOfContext(String namespace, String context) {
        return CheckpointKey.chain(namespace, context).toString();
    }

    /** Returns the chain of a conversation that the views name, possibly with {@link #NO_NAMESPACE}. */
    public static String chainOf(String namespace, Protocol protocol, String conversation) {
        if (protocol != Protocol.UNKNOWN || !namespace.equals(NO_NAMESPACE)) {
            return ConversationKey.ofView(namespace, protocol, conversation).toString();
        }
        // A chain of a protocol that only a later version knows is its own name. Topic names contain no bar.
        return conversation.indexOf('|') < 0
                ? new ConversationKey("", protocol, conversation).toString()
                : conversation;
    }

    /**
     * Returns the partition of a chain in the form of a stream partitioner, for records that are not keyed by their
     * chain, or whose partition must be known before they are sent.
     */
    public static Optional<Set<Integer>> sink(String chain, int partitions) {
        return Optional.of(Set.of(partition(chain, partitions)));
    }
}
